package main

import "testing"

// Any text is a program or an error.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"(print \"a\\n\" -5) ; x", "(", ")", "\"", "\x00", ";", "(()"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if program, err := parse("p.lisp", text); err == nil {
			for _, form := range program {
				if form.line < 1 {
					t.Errorf("a form has no line: %v", form)
				}
			}
		}
	})
}
