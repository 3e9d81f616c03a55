// Package explore is a gallery of programs with a concurrency bug that needs a certain schedule, written
// after public descriptions of bugs of real projects, or of classic puzzles.
//
// NAME.go, or NAME.lua, has the bug; its first comment says what it is, and a line "Finding: KIND" what
// selvage explore finds (docs/explore.md), with the flag that it needs. NAME_fixed is the repaired program,
// in which nothing is found:
//
//	selvage explore moby4951.go
//	selvage explore --races istio8967.go
//
// The tests read this folder and puzzles: each program with a bug is found within 100 runs, and nothing is
// found in 1,000 runs of its twin, with --races too.
//
// What it never does: export anything.
package explore
