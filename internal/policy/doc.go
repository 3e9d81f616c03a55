// Package policy holds the rules of this repository that a compiler does not check,
// as tests: which package may import which, how large a file may grow, what must be
// documented, what the public API is, and what a package that must be deterministic
// may not touch.
//
// It owns three tables: the import graph (graph_test.go), the lists of core and pure
// packages beside it, and the golden API listing in docs/api. After a change of the
// API, rewrite the listing and read the difference:
//
//	go test ./internal/policy -run API -rewrite
//
// It also compares docs/invariants.md with the names and statements of the rules, finds citations
// of files, headings, decisions and tests that do not exist, asks for a runnable example of each call
// that a host makes (examples_test.go), and counts words that comments and documents should not use
// (words_test.go).
//
// What it never does: run a program (a test that asks the go command is answered from
// the test cache after the graph has changed), look at types, or hold code that
// another package uses. Each check is a function from source text to findings, and
// canary_test.go shows each of them a text it must object to.
package policy
