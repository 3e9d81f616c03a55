// Package ctest is C code that the tests of package native run on fibers: what a plugin
// does, and what it must not get away with. Test files cannot use cgo themselves.
//
// It owns nothing. What it never does: check anything; it writes down what it was told,
// and the tests judge.
package ctest
