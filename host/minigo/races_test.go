package minigo

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// raceCase is a case of testdata/races.
type raceCase struct {
	name, want string // "ordered", or "racy" and the name of the variable
	source     string
}

// TestRacesAreFound has a racy and an ordered program for each kind of edge. Each runs once, in the
// default order: the verdict does not depend on the schedule.
func TestRacesAreFound(t *testing.T) {
	for _, c := range raceCases(t, "testdata/races/edges.txt") {
		t.Run(c.name, func(t *testing.T) {
			err := runWatched(t, c.source, Config{Races: true})
			var race *RaceError
			racy := errors.As(err, &race)
			switch variable, wantRacy := strings.CutPrefix(c.want, "racy"); {
			case !wantRacy && racy:
				t.Fatalf("a race was found in an ordered program:\n%v", err)
			case !wantRacy && err != nil:
				t.Fatal(err)
			case wantRacy && !racy:
				t.Fatalf("no race was found: %v", err)
			case wantRacy && variable != "" && !strings.Contains(race.Text, " of"+variable+" by goroutine"):
				t.Fatalf("the race is not on%s:\n%v", variable, err)
			}
		})
	}
}

func runWatched(t *testing.T, source string, cfg Config) error {
	t.Helper()
	p, err := CompileWatched(File{"race.go", []byte(source)})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	h, err := New(p, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return h.Run(t.Context())
}

func raceCases(t *testing.T, file string) (cases []raceCase) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "\n== ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		at := strings.LastIndex(head, ": ")
		cases = append(cases, raceCase{head[:at], head[at+2:], raceProgram(body)})
	}
	return cases
}

// raceProgram makes a program of the body of main, with the imports that it uses.
func raceProgram(body string) string {
	outside, main, ok := strings.Cut(body, "\n--\n")
	if !ok {
		outside, main = "", body
	}
	var b strings.Builder
	for _, v := range regexp.MustCompile(`(?m)^(\w+) := `).FindAllStringSubmatch(main, -1) {
		main += fmt.Sprintf("_ = func() { _ = %s }\n", v[1]) // a use that never happens
	}
	main += "time.Sleep(24 * time.Hour) // until all others have ended or wait\n"
	body = outside + main
	b.WriteString("package main\n")
	for _, pkg := range []string{"context", "fmt", "runtime", "sort", "strings", "sync", "sync/atomic", "time"} {
		name := pkg[strings.LastIndex(pkg, "/")+1:]
		if regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(body) {
			fmt.Fprintf(&b, "import %q\n", pkg)
		}
	}
	fmt.Fprintf(&b, "%s\nfunc main() {\n%s\n}\n", outside, main)
	return b.String()
}
