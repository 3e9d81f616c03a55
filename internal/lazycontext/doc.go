// Package lazycontext makes contexts that cost nothing until they are used.
//
// It owns the one step in which such a context becomes a context of the standard library: when a
// goroutine first asks for it, or when it ends. Any goroutine may do either, at the same time.
// What it never does: start a goroutine, read a clock, or decide when a context ends.
//
// Package scheduler has one for each fiber whose host asked for it, package blocking one for each
// job.
package lazycontext
