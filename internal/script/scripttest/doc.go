// Package scripttest holds what the tests of all script languages share: running the scripts of
// a folder, checking a guide, and fuzzing.
//
// What it never does: know a command. Only tests use it: those of the script languages, of
// scheduler and actor, and of the example programs.
package scripttest
