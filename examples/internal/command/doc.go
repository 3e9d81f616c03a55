// Package command is what the commands of the example machines have in common: a command line
// that names a program, and the pages that programs get.
//
// What it never does: anything about fibers.
package command
