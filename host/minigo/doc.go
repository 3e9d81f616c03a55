// Package minigo runs programs in a subset of Go on fibers: every goroutine is a fiber,
// a channel is a wait.Chan, and a deadlock is reported as Go reports it.
//
//	program, err := minigo.Compile(minigo.File{Name: "hello.go", Text: source})
//	host, err := minigo.New(program, minigo.Config{Access: sandbox.Access{Stdout: os.Stdout}})
//	err = host.Run(ctx)
//
// A Library has the Go functions that programs can import; its Compile is that function for them.
//
// It is the reference for those who write a virtual machine on this library: a front end
// (internal/front, on go/parser and go/types), a compiler to register code
// (internal/compile, internal/code), an interpreter whose fibers are a few hundred bytes
// and no Go stack (internal/vm, internal/value), and a library of which most is written in
// the subset itself (internal/lib says how a function is added).
//
// The subset is Go without generics, complex numbers, range over functions, reflection,
// package unsafe and cgo, in one package main. What is outside is refused with its place
// and its name. A program cannot harm its host: what it does wrong is a panic of the
// program or a Go-like fatal error, and what it can have at once is bounded (Config).
//
// What it never does: run a program's code on a goroutine of its own, or print anything but
// what the program prints.
package minigo
