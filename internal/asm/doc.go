// Package asm assembles WebAssembly modules from a small text format, so that tests can
// show the programs they run. It is for tests: it trusts its input, and panics with the
// line of a mistake.
//
//	import "env" "log" log (i32)           a function; its name here; parameters; results
//	memory 1 2                             pages: least, and most if there is one
//	table 4                                of functions
//	global count i64 0                     mutable
//	elem 0 f g                             functions in the table, from an index on
//	data 16 "text"
//	start init
//	func add (i32 i32) (i32) export        "export" exports it by its name
//	  locals i64 i64
//	  local.get 0 local.get 1 i32.add
//	end
//
// Memory and globals are exported, by the name "memory" and their own. ;; starts a
// comment. Blocks are named by depth, as in br 0; block, loop and if may be followed by
// one result type, or by parameters and results; call_indirect by parameters and
// results.
package asm
