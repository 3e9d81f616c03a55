package bugs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/selvage-dev/selvage/internal/tools/trial"
)

// Bug is one mistake: a text that occurs once in a file, and what stands there instead.
type Bug struct {
	Name   string
	Breaks []Promise
	File   string // from the root of the module
	Right  string
	Wrong  string
	Tests  trial.Tests // that are expected to notice
	Hangs  bool        // they notice by never coming to an end
}

// All is every bug. Where the source moves on, the table follows.
func All() []Bug {
	var all []Bug
	for _, table := range [][]Bug{wakes(), fast(), chains(), pumps(), lives(), operations(), panics(), objects(), shells(), moves(), islands(), groups(), sharedRuntimes(), reports()} {
		all = append(all, table...)
	}
	return append(all, guests()...)
}

// Make is the file with the mistake in it, for an overlay. The error says that the source
// has moved on.
func (b Bug) Make(root string) (map[string][]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(b.File)))
	if err != nil {
		return nil, err
	}
	if n := strings.Count(string(text), b.Right); n != 1 {
		return nil, fmt.Errorf("%s: %q occurs %d times in %s: the source has moved on, let the table follow", b.Name, b.Right, n, b.File)
	}
	return map[string][]byte{b.File: []byte(strings.Replace(string(text), b.Right, b.Wrong, 1))}, nil
}

// The tests that several bugs are put before.

// lockstep holds the real scheduler against the twin of its model.
func lockstep() trial.Tests {
	return trial.Tests{Package: "./proptest", Run: "TheSchedulerFollows|TheModelDoesNotAllow|StayInStep|OneCall"}
}

// script is one interaction script.
func script(name string) trial.Tests {
	return trial.Tests{Package: "./scheduler", Run: "TestScripts/" + name + ".txt$"}
}

// checked are tests of the scheduler in the checked build.
func checked(run string) trial.Tests {
	return trial.Tests{Package: "./scheduler", Run: run, Tags: "invariants"}
}

func tests(pkg, run string) trial.Tests { return trial.Tests{Package: "./" + pkg, Run: run} }
