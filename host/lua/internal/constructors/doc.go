// Package constructors corrects the code that gopher-lua's compiler generates for table
// constructors. host/lua uses it when it compiles a chunk.
//
// A constructor stores its items in the table in parts of fifty, by SETLIST. The compiler gets
// the last part wrong, and what follows the first fifty items:
//
//	{ "a", k = f() }          stores the result of f as an item too: the table has two
//	{ 1, …, 50, k = a .. b }  stores the fifty items again, after the value of the field has
//	                          overwritten the first
//	{ 1, …, 50, f() }         overwrites the first items with the results of f
//	{ 1, …, 25551 }           stores the items from 25,551 on before the first
//
// The faults are visible in the instructions. Each wrong instruction is replaced by one other, so
// that the positions of errors and the number of instructions do not change.
//
// It owns nothing. What it never does: look at the source, or change correct code.
package constructors
