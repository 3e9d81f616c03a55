package lua

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/selvage-dev/selvage/internal/long"
)

// snippet is a program in a text, and what the text says it prints.
type snippet struct {
	at     string // file:line
	words  []string
	source string
	output string
}

// snippets finds the fenced blocks of a Markdown file that begin with the language. A
// block of the language text directly behind such a one is its output.
func snippets(t *testing.T, path, language string) (found []snippet) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var block []string // the lines so far, from the opening fence on
	var last *snippet  // whose output may follow
	for i, line := range strings.Split(string(text), "\n") {
		fence, inside := strings.HasPrefix(line, "```"), block != nil
		switch {
		case fence && !inside:
			block = []string{line}
		case !fence && inside:
			block = append(block, line)
		case fence && inside:
			words := strings.Fields(strings.TrimPrefix(block[0], "```"))
			body := strings.Join(block[1:], "\n") + "\n"
			switch {
			case len(words) > 0 && words[0] == language:
				at := fmt.Sprintf("%s:%d", filepath.Base(path), i+1-len(block))
				found = append(found, snippet{at: at, words: words, source: body})
				last = &found[len(found)-1]
			case len(words) > 0 && words[0] == "text" && last != nil:
				last.output, last = body, nil
			default:
				last = nil
			}
			block = nil
		}
	}
	if block != nil {
		t.Fatalf("%s: the last block is not closed", path)
	}
	return found
}

// check compares what a snippet wrote with its output: stdout, then stderr, then the
// exit status if it is not 0.
func (s snippet) check(t *testing.T, got ending) {
	t.Helper()
	all := got.stdout + got.stderr
	if got.status != 0 {
		all += fmt.Sprintf("exit status %d\n", got.status)
	}
	if d := cmp.Diff(s.output, all); d != "" {
		t.Errorf("%s does not print what the block behind it says (-want +got):\n%s", s.at, d)
	}
}

// The programs are run as example.lua in virtual time, with the flags behind the word
// lua at the block's beginning.
func TestEveryLuaProgramInTheDocumentationPrintsWhatIsSaid(t *testing.T) {
	for path, atLeast := range map[string]int{"../../README.md": 1, "../../docs/lua.md": 15} {
		all := snippets(t, path, "lua")
		if len(all) < atLeast {
			t.Errorf("%s: found %d Lua programs, fewer than there were", path, len(all))
		}
		for _, s := range all {
			t.Run(s.at, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				if err := os.WriteFile(filepath.Join(dir, "example.lua"), []byte(s.source), 0o644); err != nil {
					t.Fatal(err)
				}
				args := append([]string{"run", "--virtual"}, s.words[1:]...)
				s.check(t, execute(t, dir, selvage, append(args, "example.lua")...))
			})
		}
	}
}

// Those with the word wasip1 are built for WebAssembly, as the next word says, and run by
// selvage in virtual time; the others are run by go.
func TestEveryGoProgramInTheDocumentationPrintsWhatIsSaid(t *testing.T) {
	if !long.On(t) {
		return
	}
	for path, atLeast := range map[string]int{"../../README.md": 2, "../../docs/embedding.md": 8, "../../docs/wasm.md": 4} {
		all := snippets(t, path, "go")
		if len(all) < atLeast {
			t.Errorf("%s: found %d Go programs, fewer than there were", path, len(all))
		}
		for _, s := range all {
			t.Run(s.at, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				file := filepath.Join(dir, "main.go")
				if err := os.WriteFile(file, []byte(s.source), 0o644); err != nil {
					t.Fatal(err)
				}
				if len(s.words) == 1 {
					s.check(t, execute(t, "../..", "go", "run", file))
					return
				}
				buildWasm(t, dir, file, s.words[1:])
				s.check(t, execute(t, dir, selvage, "run", "--virtual", "main.wasm"))
			})
		}
	}
}

// buildWasm makes main.wasm of a file. The words are wasip1, and a build mode if it is not
// the usual one.
func buildWasm(t *testing.T, dir, file string, words []string) {
	t.Helper()
	args := []string{"build", "-o", filepath.Join(dir, "main.wasm")}
	if len(words) > 1 {
		args = append(args, "-buildmode="+words[1])
	}
	cmd := exec.CommandContext(t.Context(), "go", append(args, file)...)
	cmd.Env = append(os.Environ(), "GOOS="+words[0], "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}
