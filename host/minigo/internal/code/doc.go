// Package code is what a minigo program is compiled to: functions of register
// instructions, and the layouts of the types they work on.
//
// A value of a Go type is some words and some references, each in its own bank: an
// integer, a float and a bool are one word; a string, a pointer, a map, a channel and a
// function are one reference; a slice is one reference and three words (offset, length,
// capacity); an interface is two words (type number, payload) and one reference; structs
// and arrays are laid out one part after the other in both banks. So the Go collector of
// the host sees every reference, no word can be taken for one, and nothing needs package
// unsafe.
//
// The window of a call is results, parameters, receiver, locals, in this order in both
// banks, at the top of its caller's window: arguments are computed where the callee finds
// them.
//
// What it never does: run anything, or know of Go source.
package code
