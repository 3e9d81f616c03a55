package replay

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// recorded is the trace of a real run, a golden file of package trace, without its end.
func recorded(t testing.TB) []string { return recordedAs(t, "journal") }

func recordedAs(t testing.TB, name string) []string {
	t.Helper()
	text, err := os.ReadFile("../../trace/testdata/" + name + ".ndjson")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	return lines[:len(lines)-1]
}

// sealed is the lines with an end that fits them, as if they had been written so.
func sealed(lines []string) string {
	text := strings.Join(lines, "\n") + "\n"
	return text + fmt.Sprintf(`{"op":"end","count":%d,"sum":%d}`+"\n", len(lines)-1, crc32.ChecksumIEEE([]byte(text)))
}

// edit is a mistake that a scheduler could make, made in the trace of one that did not:
// the lines from i on become others, if there is anything of the kind.
type edit struct {
	name string
	from string // what a line has that can be edited
	does func(line, next string) []string
	// harmless: nothing need come of it.
	harmless func(line, next string) bool
}

func edits() []edit {
	return []edit{
		{"a wake is dropped", `"woken"`, dropped, never},
		{"a wake is doubled", `"woken"`, doubled, never},
		{"a wake is told to be late", `"woken"`, replaced(`"woken"`, `"stale"`), never},
		{"a late ticket wakes", `"stale"`, replaced(`"stale"`, `"woken"`), never},
		{"a ticket of another wait wakes", `"woken"`, replaced(`"wait":`, `"wait":1`), never},
		{"a ticket of an earlier fiber wakes", `"woken"`, replaced(`.1"`, `.2"`), never},
		{"a block is dropped", `"block"`, dropped, never},
		{"an end is dropped", `"exit"`, dropped, never},
		{"a spawn is dropped", `"spawn"`, dropped, never},
		{"another is scheduled", `"schedule"`, replaced(`"f":"f`, `"f":"f1`), never},
		{"another deadline comes", `"deadline"`, replaced(`"f":"f`, `"f":"f1`), never},
		{"a deadline is forgotten", `"deadline"`, dropped, never},
		{"a deadline comes again", `"deadline"`, doubled, never},
		{"a slot's next fiber has the last one's name", `"spawn"`, replaced(`.1"`, `.2"`), never},
		{"a wait has the ticket of an earlier one", `"arm"`, numbered(1), never},
		{"a call is not returned from", `"release"`, dropped, never},
		{"an operation is not counted", `"submit"`, dropped, never},
		{"any line is dropped", `{`, dropped, has(`"stale"|"gone"|"wrong-source"|"late"|"duplicate"|"unmask"`)},
		{"any line is doubled", `{`, doubled, has(`"stale"|"gone"|"wrong-source"|"duplicate"|"mask"|"kill"`)},
		{"any two lines are swapped", `{`, swapped, commute},
	}
}

func dropped(_, next string) []string    { return []string{next} }
func doubled(line, next string) []string { return []string{line, line, next} }
func swapped(line, next string) []string { return []string{next, line} }
func never(_, _ string) bool             { return false }

func replaced(old, with string) func(line, next string) []string {
	return func(line, next string) []string { return []string{strings.Replace(line, old, with, 1), next} }
}

// numbered gives the wait another number.
func numbered(n int) func(line, next string) []string {
	number := regexp.MustCompile(`"wait":[0-9]+`)
	return func(line, next string) []string {
		return []string{number.ReplaceAllString(line, fmt.Sprintf(`"wait":%d`, n)), next}
	}
}

// has: nothing need come of the edit of a line like that. It was refused and changed
// nothing, or it is noticed only once.
func has(pattern string) func(line, next string) bool {
	like := regexp.MustCompile(pattern)
	return func(line, _ string) bool { return like.MatchString(line) }
}

// commute: lines of two fibers may come in either order, if neither wakes a fiber; and a
// fiber may mask its cancellation before it arms a wait or afterwards.
func commute(line, next string) bool {
	who := regexp.MustCompile(`"f":"[a-z0-9.]*"`)
	return who.FindString(line) != who.FindString(next) || has(`"stale"|"gone"|"mask"|"unmask"|"cancel"|"kill"`)(line+next, "")
}

func TestAnEditedTraceIsRefused(t *testing.T) {
	for _, name := range []string{"journal", "explored"} {
		t.Run(name, func(t *testing.T) { editsAreRefused(t, recordedAs(t, name)) })
	}
}

func editsAreRefused(t *testing.T, lines []string) {
	t.Helper()
	for _, e := range edits() {
		t.Run(e.name, func(t *testing.T) {
			tried, accepted := 0, 0
			for i := 1; i < len(lines)-1; i++ {
				if !strings.Contains(lines[i], e.from) {
					continue
				}
				now := e.does(lines[i], lines[i+1])
				if slices.Equal(now, lines[i:i+2]) {
					continue
				}
				tried++
				edited := slices.Concat(lines[:i], now, lines[i+2:])
				_, err := Check(strings.NewReader(sealed(edited)))
				var found *Divergence
				switch {
				case errors.As(err, &found) && found.Line > i:
				case err == nil && e.harmless(lines[i], lines[i+1]):
					accepted++
				default:
					t.Errorf("line %d: %s\n%s: %v", i+1, lines[i], lines[i+1], err)
				}
			}
			t.Logf("%d edits, %d of them without a consequence", tried, accepted)
			if tried == 0 {
				t.Error("nothing was edited")
			}
		})
	}
}
