// Package ctest is C code that the tests of package native run on fibers: what a plugin does, and
// misuse that must be refused. Only those tests use it, because test files cannot use cgo.
//
// It owns nothing. What it never does: check anything. It records results for the tests.
package ctest
