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
