package main

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write what the programs print into their .out files")

// echo answers with the path behind the slash.
func echo(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/")
		if path == "no" {
			http.Error(w, "no", http.StatusNotFound)
			return
		}
		_, _ = fmt.Fprint(w, path)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// output is what a program prints, and after a line "--" the error of the run.
func output(t *testing.T, file string, s settings) string {
	t.Helper()
	var out bytes.Buffer
	s.out, s.log = &out, &out
	if err := runFile(t.Context(), file, s); err != nil {
		_, _ = fmt.Fprintf(&out, "--\n%s\n", strings.TrimSpace(err.Error()))
	}
	return out.String()
}

// The programs print the same in both ways of native calls and with every slice. NAME.nested.out is
// what a program prints whose calls must park, when they nest.
func TestThePrograms(t *testing.T) {
	url := echo(t)
	files, err := filepath.Glob("programs/*.fs")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		for _, nest := range []bool{false, true} {
			for _, slice := range []int{1000, 7} {
				t.Run(fmt.Sprintf("%s nest=%t slice=%d", filepath.Base(file), nest, slice), func(t *testing.T) {
					got := output(t, file, settings{nest: nest, virtual: true, slice: slice, args: []string{url}})
					expected := strings.TrimSuffix(file, ".fs")
					if _, err := os.Stat(expected + ".nested.out"); err == nil && nest {
						expected += ".nested"
					}
					if got = strings.ReplaceAll(got, url, "URL"); *rewrite && slice == 1000 && (!nest || strings.HasSuffix(expected, ".nested")) {
						if err := os.WriteFile(expected+".out", []byte(got), 0o644); err != nil {
							t.Fatal(err)
						}
					}
					if want := read(t, expected+".out"); got != want {
						t.Errorf("it printed\n%s\nwant\n%s", got, want)
					}
				})
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is wrong with a program is an error with its line, and no Go panic.
func TestAWrongProgramFailsWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"\n jump":                        `p.fs:2: no word is called "jump"`,
		"if":                             "p.fs:1: the program ends within main",
		": f 1":                          "p.fs:1: the program ends within f",
		": f : g ;":                      "p.fs:1: a definition begins on the outermost level, with a name",
		"begin :":                        "p.fs:1: a definition begins on the outermost level, with a name",
		"1\n;":                           "p.fs:2: ; ends a definition, and within main none can end here",
		"begin then":                     "p.fs:1: no if is open here",
		"1 if until":                     "p.fs:1: no begin is open here",
		"' nothing":                      `p.fs:1: no word is called "nothing"`,
		"1\n+":                           "p.fs:2: panic: want 1 values on the stack, which has 0",
		"1 \"one\" +":                    "p.fs:1: panic: want a number, and have one",
		"1 2 recv":                       "p.fs:1: panic: want a channel, and have 2",
		"1 0\n/":                         "p.fs:2: panic: division by zero",
		"-1 chan":                        "p.fs:1: panic: no channel has such a capacity",
		"-1 sleep":                       "p.fs:1: panic: a sleep takes between 0 ms and a year",
		": f f ; f":                      "p.fs:1: panic: words call each other too deeply",
		"begin 1 0 until":                "p.fs:1: panic: the stack is full",
		"\"a\" begin dup & 0 until":      "p.fs:1: panic: the text is too long",
		"0 if 1 constant one then\n one": "p.fs:2: panic: one has no value yet",
		"7 arg":                          "p.fs:1: panic: want argument 7, and the command line has 0",
		"\"nowhere\" get":                "p.fs:1: panic: Get \"nowhere\": unsupported protocol scheme \"\"",
		"1 2 2 ' & sort":                 "p.fs:1: panic: want a number, and have 21",
		"1 2 9 ' - sort":                 "p.fs:1: panic: want 9 values on the stack, which has 2",
		"0 chan recv":                    "deadlock: the only fiber is blocked and nothing can wake it",
	} {
		for _, nest := range []bool{false, true} {
			p, err := compile("p.fs", text)
			var out bytes.Buffer
			if err == nil {
				err = newMachine(p, settings{nest: nest, virtual: true, slice: 50, out: &out, log: &out}).run(t.Context())
			}
			if got := fmt.Sprint(err); !strings.HasPrefix(got, want) {
				t.Errorf("%q: %s\nwant %s", text, got, want)
			}
		}
	}
}
