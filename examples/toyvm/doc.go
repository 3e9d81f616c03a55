// Command toyvm is the machine that docs/host-your-vm.md builds: stacks of numbers that
// send, receive, sleep and fail, as fibers of a scheduler.
//
// Main.go is the machine and program.txt what it runs, one instruction a line. The tests
// compare what it prints with main.out, and the tutorial's code with main.go.
//
// What it never does: check a program before it runs it.
package main
