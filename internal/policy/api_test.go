package policy

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the API listing in docs/api instead of comparing it")

// The limits of decision 0062, with what it allows later work. maxMembers counts from the 874 that
// there were, until 800 is reached: lower it with every removal, and raise neither without a
// decision.
const (
	maxNames   = 420 + 60
	maxMembers = 874 + 150
)

// apiFolder holds one golden listing for each core package, and their total.
const apiFolder = "docs/api"

func TestTheAPIIsTheOneThatWasReviewed(t *testing.T) {
	tr := repository(t)
	listings, err := apiListings(tr)
	if err != nil {
		t.Fatal(err)
	}
	if *rewrite {
		write(t, listings)
		return
	}
	t.Log("\n" + listings["total.txt"])
	for _, f := range differences(tr, listings) {
		t.Error(f)
	}
}

// apiListings are the golden files as they should be, by name.
func apiListings(tr *tree) (map[string]string, error) {
	listings := map[string]string{}
	var total strings.Builder
	sum := tally{}
	for _, dir := range strings.Fields(core) {
		p := tr.named(dir)
		if p == nil || len(p.files) == 0 {
			continue
		}
		api, err := exported(tr, p)
		if err != nil {
			return nil, err
		}
		n := api.tally()
		sum = sum.plus(n)
		listings[strings.ReplaceAll(dir, "/", "-")+".txt"] = fmt.Sprintf("# package %s: %v\n%s", dir, n, api.text())
		fmt.Fprintf(&total, "%-12s %v\n", dir, n)
	}
	fmt.Fprintf(&total, "%-12s %v\n", "all", sum)
	if err := sum.within(maxNames, maxMembers); err != nil {
		return nil, err
	}
	listings["total.txt"] = total.String()
	return listings, nil
}

// differences are the golden files that are not what they should be, with the lines
// that came and went.
func differences(tr *tree, want map[string]string) []finding {
	have := map[string]string{}
	entries, err := fs.ReadDir(tr.root, apiFolder)
	if err != nil {
		return []finding{{apiFolder, err.Error()}}
	}
	for _, e := range entries {
		text, err := fs.ReadFile(tr.root, path.Join(apiFolder, e.Name()))
		if err != nil {
			return []finding{{e.Name(), err.Error()}}
		}
		have[e.Name()] = string(text)
	}
	var found []finding
	for _, name := range union(have, want) {
		if have[name] != want[name] {
			found = append(found, finding{path.Join(apiFolder, name), "the API is another than reviewed; go test ./internal/policy -run API -rewrite, and read the difference:\n" + changes(have[name], want[name])})
		}
	}
	return found
}

func union(a, b map[string]string) (names []string) {
	for name := range a {
		names = append(names, name)
	}
	for name := range b {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// changes are the lines only one side has, the old side's first.
func changes(from, to string) string {
	var b strings.Builder
	for _, side := range []struct{ mark, text, other string }{{"-", from, to}, {"+", to, from}} {
		others := strings.Split(side.other, "\n")
		for line := range strings.Lines(side.text) {
			if line = strings.TrimSuffix(line, "\n"); !slices.Contains(others, line) {
				b.WriteString(side.mark + line + "\n")
			}
		}
	}
	return b.String()
}

func write(t *testing.T, listings map[string]string) {
	t.Helper()
	folder := filepath.Join("..", "..", filepath.FromSlash(apiFolder))
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range listings {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
