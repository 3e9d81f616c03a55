// Package puzzles has classic puzzles of concurrency, each in Lua and in Go.
//
// NAME.lua and NAME.go have the mistake that the puzzle is known for, and NAME_fixed has none; the comments
// are those of package explore, whose tests judge all of them.
//
// What it never does: export anything.
package puzzles
