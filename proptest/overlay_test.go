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
// find it. That takes minutes and is done with -long only.
func TestEveryBrokenSchedulerIsFound(t *testing.T) {
	root := moduleRoot(t)
	for _, b := range brokenSchedulers() {
		if !*long {
			break
		}
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			source, fits := b.source(t, root)
			if !fits {
				t.Fatalf("%q does not occur once in %s: the source has moved on, let the table follow", b.right, b.file)
			}
			b.mustFail(t, root, strings.Replace(source, b.right, b.wrong, 1))
		})
	}
}

// A change of the scheduler need not change the table at once, but the table must not
// be forgotten.
func TestTheTableOfBrokenSchedulersFitsTheSource(t *testing.T) {
	root, table, misfits := moduleRoot(t), brokenSchedulers(), 0
	for _, b := range table {
		if _, fits := b.source(t, root); !fits {
			misfits++
			t.Logf("%s: %q does not occur once in %s", b.name, b.right, b.file)
		}
	}
	if 4*misfits > len(table) {
		t.Errorf("%d of %d rows do not fit the source any more: let the table follow", misfits, len(table))
	}
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// source is the file, and whether the mistake can be made in it.
func (b brokenScheduler) source(t *testing.T, root string) (string, bool) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, b.file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text), strings.Count(string(text), b.right) == 1
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
