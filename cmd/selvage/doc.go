// Command selvage runs programs on fibers, and the scheduler by scripts.
//
//	selvage run [flags] FILE.lua [args…]    a Lua program, with the fiber library
//	selvage run [flags] FILE.star [args…]   a Starlark program
//	selvage run [flags] FILE.wasm [args…]   a WASI program, or a module with a function run
//	selvage run [flags] FILE.go [args…]     a program in a subset of Go
//	selvage script [flags] FILES…           interaction scripts (docs/scripts.md, and with
//	                                        --actors docs/actors.md)
//
// Exit status: 0 done; 1 the guest failed, or a script's output differs; 2 usage, or a
// file that cannot be read; 3 deadlock or leak; 130 interrupted. A WASI program that exits gives
// its own; a Go program ends with the status with which it would end as an executable.
package main
