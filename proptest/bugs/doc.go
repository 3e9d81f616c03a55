// Package bugs is mistakes made on purpose: each breaks one promise of the library, and
// some test must find it.
//
// The tables it owns are the promises (promises.go: the invariants I1 to I13 and the
// defects of the systems this one descends from, which its design is to make impossible)
// and the bugs (table_*.go): for each, the text that is replaced in one file, and the
// tests that are expected to notice. A bug that stands for several promises cites them
// all.
//
// The tests check that no promise is without a bug; with -long, that every bug still fits the
// source and compiles to something else. With -long=10 every bug is made and put before its
// tests, which must fail:
//
//	go test ./proptest/bugs -run TestEveryBugIsCaught -long=10 -timeout 60m -v
//
// What it never does: touch the source. A bug is made in an overlay (internal/tools/trial).
package bugs
