// Package schema weaves many changes of a package into one build, of which each run takes
// one: what the literature calls mutant schemata.
//
// The table it owns is the forms that cannot be woven (function.go). A changed function is
// a whole copy of the function beside it, with the change in it and another name, and the
// function itself begins with a switch that calls the copy of the change that is on:
//
//	func (r *ring[V]) pop() V { if selvageMutant != 0 { switch selvageMutant { case 17: return r.mutant17() } }; …
//
// So a copy is the source that a change would have made, and what differs is what the
// compiler makes of it: nothing woven is inlined, what escaped to no heap may, and there
// is one call more. Number Same goes through copies that change nothing; tests that fail
// there look at these things and have no say.
//
// What it never does: write files, build, or decide what a test's failure means.
package schema
