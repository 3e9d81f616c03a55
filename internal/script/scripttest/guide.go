package scripttest

import (
	"os"
	"strings"
	"testing"
)

const fence = "```"

// Guide checks a page that explains the language: every example, which is fenced with the tag,
// gives the output it shows; every command has an example and is explained as it is written; the
// list of commands, which is fenced with the word commands, is the table. With rewrite it writes
// the real outputs and the real list into the page.
func (l Language) Guide(t *testing.T, path, tag string, rewrite bool) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), fence)
	prose, list := "", ""
	shown := map[string]bool{}
	for i := range parts {
		body, isScript := strings.CutPrefix(parts[i], tag+"\n")
		switch {
		case i%2 == 0:
			prose += parts[i]
		case isScript:
			parts[i] = tag + "\n" + l.example(t, body, shown, rewrite)
		case strings.HasPrefix(parts[i], "commands\n"):
			list = parts[i]
			parts[i] = "commands\n" + l.Help
		}
	}
	if rewrite {
		if err := os.WriteFile(path, []byte(strings.Join(parts, fence)), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if list != "commands\n"+l.Help {
		t.Errorf("the list of commands in %s is not the table; run the test with -rewrite", path)
	}
	for _, usage := range l.Usages {
		if name, _, _ := strings.Cut(usage, " "); !shown[name] {
			t.Errorf("%s has no example in %s", name, path)
		}
		if !strings.Contains(prose, "`"+usage+"`") {
			t.Errorf("%s does not explain `%s`", path, usage)
		}
	}
}

// example checks one example, notes the commands in it, and returns it with the real outputs if
// they are to be written.
func (l Language) example(t *testing.T, text string, shown map[string]bool, rewrite bool) string {
	t.Helper()
	if rewrite {
		text = l.rewrite("example", text)
	}
	r := l.Run("example", text)
	if !r.OK() {
		t.Error(r.Diff())
	}
	for _, line := range r.Commands() {
		shown[strings.Fields(line.Text)[0]] = true
	}
	return text
}
