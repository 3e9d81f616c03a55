package proptest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Each broken scheduler is built and put before the tests of this package, which must
// find it. That takes minutes, so without -long it is only seen to that the table still
// fits the source.
func TestEveryBrokenSchedulerIsFound(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range brokenSchedulers() {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(filepath.Join(root, b.file))
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(source), b.right); n != 1 {
				t.Fatalf("%q occurs %d times in %s, want once: the source has moved on, let the table follow", b.right, n, b.file)
			}
			if *long {
				b.mustFail(t, root, strings.Replace(string(source), b.right, b.wrong, 1))
			}
		})
	}
}

// mustFail runs the short tests of this package on the source with the mistake in it.
func (b brokenScheduler) mustFail(t *testing.T, root, mutant string) {
	t.Helper()
	dir := t.TempDir()
	wrong, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, b.file): wrong}})
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{wrong: mutant, overlay: string(list)} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := exec.Command("go", "test", "-overlay", overlay, "-short", "-failfast", "-count=1", "-timeout=2m",
		"-run", "TheSchedulerFollows|TheModelDoesNotAllow|StayInStep|OneCall", "./proptest")
	tests.Dir = root
	out, err := tests.CombinedOutput()
	switch text := string(out); {
	case err == nil:
		t.Fatal("it lives")
	case !strings.Contains(text, "--- FAIL"):
		t.Fatalf("it was not tested: %v\n%s", err, text)
	default:
		t.Log(firstFinding(text))
	}
}

// firstFinding is the line below the first that tells of a failure of ours.
func firstFinding(text string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, "_test.go:") {
			return strings.TrimSpace(line)
		}
	}
	return text
}
