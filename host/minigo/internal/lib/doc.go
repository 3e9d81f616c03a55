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
//	"strings.Index": func(c *Call) { c.ReturnInt(strings.Index(c.String(), c.String())) },
//
// A Func reads its arguments in order and then returns its results in order; the receiver
// of a method is its last argument. It runs on the scheduler's goroutine and must not
// block: what waits calls Call.Wait with a Waiter as its last act.
//
// What it never does: keep state of a program outside of its Host.
package lib
