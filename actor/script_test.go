package actor_test

import (
	"flag"
	"testing"

	"github.com/selvage-dev/selvage/internal/script"
	"github.com/selvage-dev/selvage/internal/script/actorscript"
	"github.com/selvage-dev/selvage/internal/script/scripttest"
)

var rewrite = flag.Bool("rewrite", false, "write the real outputs into the scripts of testdata; read the difference before you commit it")

// The scripts are the defects that this package excludes, and its promises, one a file.
func TestScripts(t *testing.T) {
	language := scripttest.Language{Run: func(name, text string) *script.Result {
		return actorscript.Run(name, text, nil)
	}}
	language.Files(t, "testdata/*.txt", 10, *rewrite)
}
