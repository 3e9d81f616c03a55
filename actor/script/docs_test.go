package script

import (
	"flag"
	"testing"

	"github.com/selvage-dev/selvage/internal/transcript/documented"
)

var rewrite = flag.Bool("rewrite", false, "write what really came into the examples of docs/actors.md")

func TestTheExamplesInTheDocumentationAreTrue(t *testing.T) {
	g := documented.Guide{
		Path: "../../docs/actors.md", Tag: "actors", Commands: map[string]string{},
		Run: func(name, text string) *Result { return Run(name, text, nil) },
	}
	for _, c := range commands() {
		g.Commands[c.name] = c.usage
	}
	g.Check(t, *rewrite)
}
