// Package actorscript drives a system of actors by text: a script is a list of commands with the
// output each is expected to give. docs/actors.md explains every command.
//
//	# A puppet does what it is sent.
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
// The table it owns is commands(). Actors are puppets, which do what a message says, or have one
// of the Roles of the caller. Every script is recorded, and `replay` runs its journal again.
//
// What it never does: read or write a file, read a clock, panic on any text, or run without
// end. `selvage script --actors`, the tests of actor and those of the example programs use it.
package actorscript
