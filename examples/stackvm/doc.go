// Command stackvm is a virtual machine for a small Forth whose programs run on fibers: they spawn,
// yield, sleep, send, receive, join and cancel, make HTTP requests, and sort by Go's own sort with
// a comparison that is a word of the program and may wait.
//
//	go run ./examples/stackvm [--nest] [--virtual] FILE [ARGUMENT ...]
//
// Words that wait are in fibers.go, http.go and sort.go, the machine is in machine.go; the other
// files are the language and do not know the library. The tests run each programs/NAME.fs in both
// ways of native calls and compare what it prints with programs/NAME.out. The guide is
// docs/host-your-vm/native-calls.md.
//
// What it never does: limit what a program may request from the network.
package main
