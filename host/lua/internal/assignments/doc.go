// Package assignments corrects multiple assignments for gopher-lua's compiler. host/lua uses it when it
// compiles a chunk.
//
// All values of an assignment are evaluated before the first variable changes. The compiler lets a value
// go straight into the register of a local variable, which a later value then reads, and miscounts
// registers behind a value that is one:
//
//	a, b = b, a        makes both equal
//	a, t[a] = 1, 2     uses the new a as the key
//	a, b = 1, f()      shows the new a to f
//	t[1], b = b, f()   stores the new b
//	g, t[1] = 1, b     where g is no local variable gets another value than 1
//
// Such an assignment becomes several, whose values, tables and keys have registers of their own:
//
//	do local v1, v2 = b, a; b = v2; a = v1 end
//
// An operation of a metatable that reads a variable of the same assignment is not looked for.
//
// It owns nothing. What it never does: change an assignment that the compiler gets right.
package assignments
