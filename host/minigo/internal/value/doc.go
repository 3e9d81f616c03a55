// Package value is the heap of a minigo program: objects, maps and closures, how values
// are packed into interfaces and channels, compared, and used as keys of maps.
//
// What it never does: schedule, print, or run code.
package value
