// Package trial puts a changed source file before the tests that are to notice: it builds
// a package's tests with the file replaced, runs them, and says what became of it.
//
// The table it owns is the verdicts (verdict.go). The file is replaced by the go command's
// -overlay, so the working tree is never touched and tests of a broken library may run
// beside those of the right one.
//
// What it never does: decide what to change, or in which order to ask which tests.
package trial
