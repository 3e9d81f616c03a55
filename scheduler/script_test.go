package scheduler_test

import (
	"flag"
	"testing"

	"github.com/selvage-dev/selvage/internal/script/schedscript"
	"github.com/selvage-dev/selvage/internal/script/scripttest"
)

// rewrite is read by all tests here that compare with a file of testdata.
var rewrite = flag.Bool("rewrite", false, "write the real outputs into the files of testdata; read the difference before you commit it")

func TestScripts(t *testing.T) {
	scripttest.Language{Run: schedscript.Run}.Files(t, "testdata/*.txt", 1, *rewrite)
}
