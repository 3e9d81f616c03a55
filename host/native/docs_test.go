//go:build cgo

package native_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

func TestTheProgramInTheDocumentationPrintsWhatIsSaid(t *testing.T) {
	text, err := os.ReadFile("../../docs/native.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := regexp.MustCompile("(?s)```go\n(.*?)```\n\n```text\n(.*?)```").FindSubmatch(text)
	if parts == nil {
		t.Fatal("no program with its output")
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, parts[1], 0o644); err != nil {
		t.Fatal(err)
	}
	header, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", file)
	cmd.Env = append(os.Environ(), "C_INCLUDE_PATH="+header)
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != string(parts[2]) {
		t.Errorf("%v, and it prints\n%s\nwant\n%s", err, out, parts[2])
	}
}
