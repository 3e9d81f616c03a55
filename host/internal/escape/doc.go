// Package escape has the tests that try to leave the sandbox: a table of the ways to files, processes,
// the environment, the network and the clock, each tried from a program of every language, under an
// Access that allows nothing, under a narrow one, and under one with which the way must work, so that the
// test does try it. Where a language has no such way, the table says why.
//
// It has no code but tests, and owns nothing. What it never does: know how a host checks what it allows.
package escape
