// Package lib is the standard library of minigo programs.
//
// Each package of it is a folder under _std with Go source in the subset: declarations of
// exactly what is supported, so that the type checker refuses the rest. A function with a
// body is compiled with the program that uses it. One without is native: a Func of the
// table that Natives gives, under the name "path.Function" or "path.Type.Method".
//
// To add a function, write it in Go in _std if it can be written there (it may block, and
// call what it is given). Otherwise declare it there without a body, and add its Func to
// the file of natives of its package:
//
//	"strings.Index": func(c *Call) { c.ReturnInt(index(c.Pace, c.String(), c.String())) },
//
// A Func reads its arguments in order and then returns its results in order; the receiver
// of a method is its last argument. It runs on the scheduler's goroutine and must not
// block: what waits calls Call.Wait with a Waiter as its last act.
//
// A Func counts its work: Call.Spend takes bytes, in pieces of at most value.PieceBytes. Its first run is
// an attempt: if the work turns out to be more than a piece (Call.Over), what the Func has returned is
// forgotten, and it runs once more from the beginning, on a coroutine that Spend suspends when the slice
// is used up. So before a Func has another effect than its results, it asks Call.Effect. Memory is
// counted by Call.Alloc, and by the methods that return strings. The test of package vm that measures
// the work of hostile arguments has a row for each Func.
//
// What it never does: keep state of a program outside of its Host.
package lib
