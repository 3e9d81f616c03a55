package script

import (
	"flag"
	"testing"

	"github.com/selvage-dev/selvage/internal/transcript/documented"
)

var rewrite = flag.Bool("rewrite", false, "write what really came into the examples of docs/scripts.md")

func TestTheExamplesInTheDocumentationAreTrue(t *testing.T) {
	g := documented.Guide{Path: "../../docs/scripts.md", Tag: "script", Run: Run, Commands: map[string]string{}}
	for _, c := range commands() {
		g.Commands[c.name] = c.usage
	}
	g.Check(t, *rewrite)
}
