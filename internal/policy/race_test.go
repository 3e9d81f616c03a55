package policy

import (
	"go/ast"
	"go/token"
	"io/fs"
	"strings"
	"testing"
)

// raceList is the file of package patterns that CI runs under the race detector.
const raceList = ".ci/race-packages"

func TestEveryPackageWithGoroutinesIsOnTheRaceList(t *testing.T) { hold(t, raced) }

// raced objects to a package that more than one goroutine can enter, by its own code
// or by its tests, and that CI does not run under the race detector.
func raced(tr *tree) []finding {
	text, err := fs.ReadFile(tr.root, raceList)
	if err != nil {
		return []finding{{raceList, err.Error()}}
	}
	patterns := listed(string(text))
	var found []finding
	for _, p := range tr.packages {
		if why, pos := concurrent(p); why != "" && !onList(p.dir, patterns) {
			found = append(found, tr.at(pos, "%s, and %s does not cover %s", why, raceList, p.dir))
		}
	}
	for _, pattern := range patterns {
		if !matchesSome(tr, pattern) {
			found = append(found, finding{raceList, pattern + " matches no package"})
		}
	}
	return found
}

// listed are the lines of a list file, without comments and marks.
func listed(text string) (lines []string) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimPrefix(strings.TrimSpace(line), "long "); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func matchesSome(tr *tree, pattern string) bool {
	for _, p := range tr.packages {
		if onList(p.dir, []string{pattern}) {
			return true
		}
	}
	return false
}

// onList reports whether one of the go command's patterns covers the folder.
func onList(dir string, patterns []string) bool {
	for _, pattern := range patterns {
		folder, below := strings.CutSuffix(strings.TrimPrefix(pattern, "./"), "/...")
		if dir == folder || below && under(dir, []string{folder}) {
			return true
		}
	}
	return false
}

// concurrent says what makes the package a case for the race detector: a goroutine it
// starts, or a lock or an atomic it would not need with one goroutine only.
func concurrent(p *pkg) (why string, pos token.Pos) {
	for _, f := range p.all() {
		for _, spec := range f.syntax.Imports {
			if target := importPath(spec); target == "sync" || target == "sync/atomic" {
				return "uses " + target, spec.Pos()
			}
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok {
				why, pos = "starts a goroutine", g.Pos()
			}
			return why == ""
		})
		if why != "" {
			return why, pos
		}
	}
	return "", token.NoPos
}
