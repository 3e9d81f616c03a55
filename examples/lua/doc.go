// Package lua has example programs in Lua for selvage run, each with one idea, and checks their
// output. Readers of docs/lua.md use them; no package does.
//
// The first lines of NAME.lua say how to run it. NAME.out is its output. NAME.err, if there is
// one, is its exit status and its output to stderr. The tests run every program by the selvage
// command, and again with other time slices, with another seed and, unless the program needs
// real time, in virtual time: the output must be the same. Programs that need real time say so,
// and are refused in virtual time. go test ./examples/lua -rewrite writes the outputs.
//
// The tests also run every program in README.md and docs/lua.md.
//
// It owns the programs and their outputs. What it never does: export anything, or have a program
// whose output depends on timing.
package lua
