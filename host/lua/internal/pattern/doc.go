// Package pattern matches the patterns of Lua 5.1. A match takes steps from a vm.Meter: one for each
// byte it looks at and each choice it tries, so the fiber is preempted in the middle of a match that
// takes long. It has no recursion: the choices that are left to try are on a list, at most one for each
// repetition of the pattern.
//
// A pattern means what it means in gopher-lua, with the same error messages, where that differs from
// Lua 5.1:
//
//	pattern          meaning here
//	%f               the letter f
//	[%a-z]           a range that ends or begins with a class has no members
//	% at the end     matches nothing
//	^ in gmatch      the matches begin at the start of the text, so there is at most one
//	()%1             a position is an empty text
//
// What this package never does: keep a Lua value, or state between two matches other than the position.
package pattern
