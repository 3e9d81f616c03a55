// Package script drives a system of actors by text: a script is a list of commands with the
// output each is expected to give, so that it is a test, a piece of documentation and a bug
// report at once. docs/actors.md explains every command.
//
//	# What a puppet is sent, it does.
//	spawn ada
//	spawn bob
//	send ada "send bob hello"
//	run
//	----
//	spawn: ada is a2.1
//	spawn: bob is a3.1
//	run: idle
//	  outside → root: spawn
//	  outside → ada: spawn
//	  outside → bob: spawn
//	  outside → ada: send bob hello
//	  ada → bob: hello
//
// The table it owns is commands(). Actors are puppets, which do what a message says, or play
// the roles of a Cast. Every script is recorded, and `replay` runs its journal again.
//
// What it never does: read or write a file, read a clock, panic on any text, or run without
// end.
package script
