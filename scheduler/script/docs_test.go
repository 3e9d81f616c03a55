package script

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write what really came into the examples of docs/scripts.md")

const (
	docs  = "../../docs/scripts.md"
	fence = "```"
)

func TestTheExamplesInTheDocumentationAreTrue(t *testing.T) {
	text, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), fence)
	shown := map[string]bool{}
	for i := 1; i < len(parts); i += 2 { // between two fences
		body, isScript := strings.CutPrefix(parts[i], "script\n")
		if !isScript {
			continue
		}
		if *rewrite {
			body = Rewrite("example", body)
			parts[i] = "script\n" + body
		}
		r := Run("example", body)
		if !r.OK() {
			t.Error(r.Diff())
		}
		for _, l := range r.Commands() {
			shown[strings.Fields(l.Text)[0]] = true
		}
	}
	if *rewrite {
		if err := os.WriteFile(docs, []byte(strings.Join(parts, fence)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range commands() {
		if !shown[c.name] {
			t.Errorf("%s has no example in %s", c.name, docs)
		}
		if !strings.Contains(string(text), "`"+c.usage+"`") {
			t.Errorf("%s is not explained in %s as it is written: `%s`", c.name, docs, c.usage)
		}
	}
}
