package frame_test

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/host/frame"
)

func ExampleFrame() {
	f := frame.Frame{Function: "f", File: "main.lua", Line: 3, Locals: []frame.Variable{{Name: "s", Value: frame.Quote("text")}}}
	fmt.Printf("%s at %s:%d with %s = %s\n", f.Function, f.File, f.Line, f.Locals[0].Name, f.Locals[0].Value)
	// Output: f at main.lua:3 with s = "text"
}

func ExampleClip() {
	fmt.Println(frame.Clip("table: 0x1"), len([]rune(frame.Clip(strings.Repeat("x", 1000)))))
	// Output: table: 0x1 120
}

func ExampleQuote() {
	fmt.Println(frame.Quote("a\tb"))
	// Output: "a\tb"
}

func ExampleList() {
	calls := []string{"inner", "outer"}
	for _, f := range frame.List(len(calls), func(level int) frame.Frame { return frame.Frame{Function: calls[level]} }) {
		fmt.Println(f.Function)
	}
	fmt.Println(len(frame.List(10_000, func(int) frame.Frame { return frame.Frame{} })))
	// Output:
	// inner
	// outer
	// 101
}
