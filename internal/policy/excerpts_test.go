package policy

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
)

// A part of the tutorial shows excerpts of a program that the tests run: each block, unless it is a
// command, is a part of one file of the program's folder, sources and expected outputs alike.
func TestTheTutorialShowsProgramsAsTheyAre(t *testing.T) { hold(t, excerpts) }

// excerptsOf are the parts of the tutorial with the folders that they show.
func excerptsOf() map[string]string {
	return map[string]string{
		"docs/host-your-vm/machine-code.md": "examples/registervm",
		"docs/host-your-vm/native-calls.md": "examples/stackvm",
		"docs/host-your-vm/outside.md":      "examples/stackvm",
		"docs/host-your-vm/tasks.md":        "examples/stackvm",
		"docs/host-your-vm/many.md":         "examples/manyvms",
	}
}

func excerpts(tr *tree) (found []finding) {
	pages := excerptsOf()
	for _, page := range slices.Sorted(maps.Keys(pages)) {
		text, err := fs.ReadFile(tr.root, page)
		if err != nil {
			found = append(found, finding{page, err.Error()})
			continue
		}
		shown := 0
		for _, block := range programBlocks(string(text)) {
			shown++
			if !partOfAFile(tr.root, pages[page], block) {
				found = append(found, finding{page, fmt.Sprintf("no file of %s has these lines:\n%s", pages[page], block)})
			}
		}
		if shown == 0 {
			found = append(found, finding{page, "it has no blocks: this check does not see them"})
		}
	}
	return found
}

// programBlocks are the fenced blocks of a page that are no commands.
func programBlocks(page string) (blocks []string) {
	for i, part := range strings.Split("\n"+page, "\n```") {
		language, block, _ := strings.Cut(part, "\n")
		if i%2 == 1 && language != "sh" {
			blocks = append(blocks, block+"\n")
		}
	}
	return blocks
}

func partOfAFile(root fs.FS, dir, block string) (found bool) {
	_ = fs.WalkDir(root, dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		found = found || strings.Contains("\n"+string(text), "\n"+block)
		return err
	})
	return found
}

func excerptCanaries() []canary {
	page := func(block string) map[string]string {
		files := map[string]string{"examples/stackvm/a.go": "package main\n\nvar a = 1\nvar b = 2\n", "examples/manyvms/a.out": "one\n"}
		files["examples/registervm/a.go"] = files["examples/stackvm/a.go"]
		for name := range excerptsOf() {
			files[name] = "```sh\ngo run\n```\n\n```go\nvar a = 1\n```\n" + block
		}
		files["docs/host-your-vm/many.md"] = "```text\none\n```\n"
		return files
	}
	return []canary{
		{"an excerpt that is there", excerpts, page("```go\nvar a = 1\nvar b = 2\n```\n"), nil},
		{"an excerpt that has changed", excerpts, page("```go\nvar a = 2\n```\n"), []string{"machine-code.md", "native-calls.md", "outside.md", "tasks.md"}},
		{"an excerpt of half a line", excerpts, page("```go\na = 1\n```\n"), []string{"machine-code.md", "native-calls.md", "outside.md", "tasks.md"}},
	}
}
