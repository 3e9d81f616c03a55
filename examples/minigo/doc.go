// Package minigo holds example programs in the subset of Go that selvage run FILE.go runs,
// one idea each, and checks that they do what they say.
//
// Each NAME.go is one program, and an ordinary Go program as well: go run skynet.go prints
// the same. NAME.out is what it prints, followed, where it does not end well, by a line "--"
// and how it ends. The tests run every program in virtual time, and again with a slice
// of seven instructions: the output must stay the same. go test ./examples/minigo -rewrite
// writes the outputs anew.
//
// What it never does: export anything, or hold a program whose output depends on luck.
package minigo
