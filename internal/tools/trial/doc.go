// Package trial runs tests on a changed source file: it builds a package's tests with the file
// replaced, runs them, and reports the outcome. internal/tools/mutate, proptest/bugs and trace use
// it.
//
// The table it owns is the outcomes (result.go). The go command's -overlay replaces the
// file, so the working tree is never touched and tests of a broken library may run beside those
// of the right one.
//
// What it never does: decide what to change, or which tests to run in which order.
package trial
