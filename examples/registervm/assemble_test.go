package main

import "testing"

// Any text is a program or an error.
func FuzzAssemble(f *testing.F) {
	for _, text := range []string{"func main\nx:\nr1 = add r0 -5 ; x\njump x", "func", "x:", "func f\n=", "func f\nr1 =", "func f\n:"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if main, err := assemble("p.reg", text); err == nil && len(main.code) != len(main.lines) {
			t.Errorf("%d lines have %d instructions", len(main.lines), len(main.code))
		}
	})
}
