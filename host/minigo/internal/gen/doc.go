// Package gen writes random Go programs in the subset of minigo, for comparing what runs
// them: interpreter, machine code and Go itself.
//
// A program is made from choices (a seeded generator, or the bytes of a fuzzer), and the
// same choices make the same program. By construction it
//
//   - has the right types;
//   - ends: loops have a bound, calls go only to what was written before, recursion has
//     fuel, and what a function costs at most is added up as it is written (body.spend);
//   - means one thing only: where Go leaves an order open, no program can tell. Goroutines
//     share nothing that is not handed over or added up; calls stand in an expression only
//     beside what no call can change; there is at most one fault in a statement; no capacity that append chose is looked at; no address is printed.
//
// A program is a tree of pieces of text (piece.go), of which each knows what may stand in
// its place, so that one that shows a difference becomes small by itself (Shrink). Decision
// 54 says why.
//
// What it never does: run a program, or look at what it prints.
package gen
