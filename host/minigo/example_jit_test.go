package minigo_test

import (
	"context"
	"fmt"
	"os"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
)

const sum = `package main

func main() {
	total := 0
	for i := range 1000 {
		total += i
	}
	println(total)
}
`

// The zero JITMode compiles hot functions where that is supported.
func ExampleJITMode() {
	program, _ := minigo.Compile(minigo.File{Name: "sum.go", Text: []byte(sum)})
	for _, mode := range []minigo.JITMode{minigo.JITOn, minigo.JITOff} {
		host, err := minigo.New(program, minigo.Config{Access: sandbox.Access{Stderr: os.Stdout}, JIT: mode})
		if err != nil {
			fmt.Println(err)
			return
		}
		_ = host.Run(context.Background())
	}
	// Output:
	// 499500
	// 499500
}

// Code that needs machine code asks first whether this machine supports it.
func ExampleJITWorks() {
	mode := minigo.JITEager
	if err := minigo.JITWorks(); err != nil {
		mode = minigo.JITOff // New would fail with err
	}
	program, _ := minigo.Compile(minigo.File{Name: "sum.go", Text: []byte(sum)})
	_, err := minigo.New(program, minigo.Config{JIT: mode})
	fmt.Println(err)
	// Output: <nil>
}

// The counters of a run: what was compiled, and how often machine code was left.
func ExampleHost_JITStats() {
	program, _ := minigo.Compile(minigo.File{Name: "sum.go", Text: []byte(sum)})
	host, err := minigo.New(program, minigo.Config{JIT: minigo.JITOff})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = host.Run(context.Background())
	fmt.Println(host.JITStats().Functions, "functions compiled")
	// Output: 0 functions compiled
}

// Without machine code, the counters give the reason.
func ExampleJITStats() {
	program, _ := minigo.Compile(minigo.File{Name: "sum.go", Text: []byte(sum)})
	host, err := minigo.New(program, minigo.Config{JIT: minigo.JITOff})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = host.Run(context.Background())
	stats := host.JITStats()
	fmt.Println(stats.Entries, "entries:", stats.Why)
	// Output: 0 entries: it is off
}
