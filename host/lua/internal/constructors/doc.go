// Package constructors mends what gopher-lua's compiler makes of table constructors.
//
// The items of a constructor are put into the table fifty at a time, by SETLIST. The compiler
// gets the last part of it wrong, and what stands behind fifty items:
//
//	{ "a", k = f() }          takes the result of f for an item too: the table has two
//	{ 1, …, 50, k = a .. b }  takes the fifty once more, of which the first has been
//	                          overwritten by the field's value meanwhile
//	{ 1, …, 50, f() }         puts the results of f over the first items
//	{ 1, …, 25551 }           puts the items from 25,551 on below the first
//
// What is wrong can be told from the instructions, and is put right in them, one for one: the
// places of errors and the number of instructions stay.
//
// What this package never does: look at the source, or change what is right.
package constructors
