package schedscript

import (
	"flag"
	"testing"

	"github.com/selvage-dev/selvage/internal/script/scripttest"
)

var rewrite = flag.Bool("rewrite", false, "write the real outputs into docs/scripts.md")

func language() scripttest.Language {
	return scripttest.Language{Run: Run, Usages: commands().Usages(), Help: commands().String()}
}

func TestTheExamplesInTheDocumentationAreTrue(t *testing.T) {
	language().Guide(t, "../../../docs/scripts.md", "script", *rewrite)
}

func FuzzScript(f *testing.F) {
	language().Fuzz(f, "../../../scheduler/testdata/*.txt", "next\n----\n----\n", "spawn \"", "arm \x00 \xff")
}
