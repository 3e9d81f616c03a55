package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// row is one line of the graph.
type row struct {
	pattern string
	imports []string // patterns of rows above
	all     bool
	outside bool // external
	cgo     bool
	types   bool
}

func parseGraph(text string) ([]row, error) {
	var rows []row
	for line := range strings.Lines(strings.TrimSpace(text)) {
		pattern, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			return nil, fmt.Errorf("row %q: want folder: imports", line)
		}
		r := row{pattern: pattern}
		for _, word := range strings.Fields(list) {
			if !r.read(word) && !known(rows, word) {
				return nil, fmt.Errorf("row %s imports %s, which is no row above it", pattern, word)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// read takes one word of the row, and reports whether it is a word of its own rather
// than the pattern of another row.
func (r *row) read(word string) bool {
	switch word {
	case "all":
		r.all = true
	case "external":
		r.outside = true
	case "cgo":
		r.cgo = true
	case "types":
		r.types = true
	default:
		r.imports = append(r.imports, word)
		return false
	}
	return true
}

func known(rows []row, pattern string) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.pattern == pattern })
}

// family is the part of dir that the row speaks for as one package; "" if the row
// does not speak for dir.
func (r row) family(dir string) string {
	want, have := strings.Split(r.pattern, "/"), strings.Split(dir, "/")
	if len(have) < len(want) || r.pattern == "." && dir != "." {
		return ""
	}
	for i, w := range want {
		if w != "*" && w != have[i] {
			return ""
		}
	}
	return strings.Join(have[:len(want)], "/")
}

// rowFor is the row that speaks for dir: the longest, and among equals the one
// without a star.
func rowFor(rows []row, dir string) (best row, found bool) {
	rank := func(r row) int {
		return 2*strings.Count(r.pattern, "/") - strings.Count(r.pattern, "*")
	}
	for _, r := range rows {
		if r.family(dir) != "" && (!found || rank(r) > rank(best)) {
			best, found = r, true
		}
	}
	return best, found
}

// reaches is every pattern the row may import, with what those reach.
func (r row) reaches(rows []row) map[string]bool {
	reached := map[string]bool{}
	for _, above := range rows {
		if above.pattern == r.pattern {
			break
		}
		if r.all || slices.Contains(r.imports, above.pattern) {
			reached[above.pattern] = true
			for p := range above.reaches(rows) {
				reached[p] = true
			}
		}
	}
	return reached
}

func TestTheGraphNamesOnlyRowsAboveEachRow(t *testing.T) {
	if _, err := parseGraph(graph); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"a: b\nb:", "a: a", "a"} {
		if _, err := parseGraph(bad); err == nil {
			t.Errorf("%q was accepted as a graph", bad)
		}
	}
}

func TestTheMostSpecificRowSpeaksForAFolder(t *testing.T) {
	rows, err := parseGraph(graph)
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		"fiber":               "fiber",
		"internal/ring":       "internal/*",
		"internal/policy":     "internal/policy",
		"host/lua/internal/x": "host/*",
		"host/native":         "host/native",
		"stackful/internal/x": "stackful",
		".":                   ".",
		"elsewhere":           "",
		"host":                "",
	} {
		if r, _ := rowFor(rows, dir); r.pattern != want {
			t.Errorf("%s is spoken for by row %q, want %q", dir, r.pattern, want)
		}
	}
}

func TestCorePackagesAndPurePackagesAreRowsOfTheGraph(t *testing.T) {
	rows, err := parseGraph(graph)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range strings.Fields(core + " " + pure) {
		if r, found := rowFor(rows, dir); !found || r.outside || r.cgo {
			t.Errorf("%s: want a row that needs only the standard library, have %+v", dir, r)
		}
	}
}
