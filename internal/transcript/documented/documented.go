package documented

import (
	"os"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/internal/transcript"
)

const fence = "```"

// Guide is a page with scripts in it.
type Guide struct {
	Path string
	// Tag is behind the fence of a script.
	Tag string
	Run func(name, text string) *transcript.Result
	// Commands are how each command is written, by its name.
	Commands map[string]string
}

// Check runs the examples; with rewrite it writes what really comes into the page.
func (g Guide) Check(t *testing.T, rewrite bool) {
	t.Helper()
	page, err := os.ReadFile(g.Path)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), fence)
	shown := map[string]bool{}
	for i := 1; i < len(parts); i += 2 { // between two fences
		body, isScript := strings.CutPrefix(parts[i], g.Tag+"\n")
		if !isScript {
			continue
		}
		if rewrite {
			body = transcript.Rewrite(body, func(text string) *transcript.Result { return g.Run("example", text) })
			parts[i] = g.Tag + "\n" + body
		}
		r := g.Run("example", body)
		if !r.OK() {
			t.Error(r.Diff())
		}
		for _, l := range r.Commands() {
			shown[strings.Fields(l.Text)[0]] = true
		}
	}
	if rewrite {
		if err := os.WriteFile(g.Path, []byte(strings.Join(parts, fence)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, usage := range g.Commands {
		if !shown[name] {
			t.Errorf("%s has no example in %s", name, g.Path)
		}
		if !strings.Contains(string(page), "`"+usage+"`") {
			t.Errorf("%s is not explained in %s as it is written: `%s`", name, g.Path, usage)
		}
	}
}
