// Package documented tests that what a guide says of interaction scripts is true: every example
// in it gives the output it shows, and every command is explained and has an example.
//
// What it never does: know a command.
package documented
