// Package workload has the programs of the rows M01 and on in Go. Bench compiles them as the
// peer, native Go, and gives the same files to minigo: only the package clause is another
// one there, and a main is added.
//
// Each function does its work as often as its argument says and returns a number by which
// the runs of different machines are compared. The Lua and JavaScript programs and the wasm
// functions of the same names do the same work, in the same order of operations.
//
// What it never does: import what minigo does not have.
package workload

import "embed"

// Sources are the files of this package.
//
//go:embed *.go
var Sources embed.FS
