package policy

import (
	"cmp"
	"fmt"
	"go/ast"
	"io/fs"
	"iter"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// personsPerMille is how many of 1,000 comment lines may contain a word for a person. A comment
// names the fiber, the caller or the owner instead.
const personsPerMille = 3

func TestCommentsNameWhatActs(t *testing.T)    { hold(t, persons) }
func TestProseHasNoObsoleteWords(t *testing.T) { hold(t, obsoleteWords) }

func personWord() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(whoever|nobody|somebody|anybody|everybody|who is|who has)\b`)
}

func obsoleteWord() *regexp.Regexp {
	return regexp.MustCompile(`\b([Ff]or ever|[Hh]eed(s|ed)?|[Mm]end(s|ed)?|[Tt]old of|[Aa]broad|[Pp]uts? aside|[Vv]ouch(es|ed)?)\b`)
}

// records are documents that quote the past and are not rewritten.
func records() []string { return []string{"CHANGELOG.md", "docs/decisions"} }

// persons objects if more comment lines than the limit contain a word for a person, and names
// the files that contribute most. A string is guest-facing text and does not count.
func persons(tr *tree) []finding {
	total, lines, perFile := 0, 0, map[string]int{}
	for f, c := range comments(tr) {
		lines += 1 + strings.Count(c.Text, "\n")
		if n := len(personWord().FindAllString(c.Text, -1)); n > 0 {
			total += n
			perFile[f.path] += n
		}
	}
	if total*1000 <= personsPerMille*lines {
		return nil
	}
	worst := slices.SortedFunc(maps.Keys(perFile), func(a, b string) int {
		return cmp.Or(cmp.Compare(perFile[b], perFile[a]), cmp.Compare(a, b))
	})
	found := []finding{{".", fmt.Sprintf("%d words for persons in %d comment lines; at most %d in 1,000", total, lines, personsPerMille)}}
	for _, f := range worst[:min(10, len(worst))] {
		found = append(found, finding{f, fmt.Sprintf("%d words for persons; name the fiber, the caller or the owner", perFile[f])})
	}
	return found
}

// obsoleteWords objects to every obsolete word in a comment or a document.
func obsoleteWords(tr *tree) []finding {
	var found []finding
	for _, c := range comments(tr) {
		for _, word := range obsoleteWord().FindAllString(c.Text, -1) {
			found = append(found, tr.at(c.Pos(), "%q is obsolete; use the common word", word))
		}
	}
	err := fs.WalkDir(tr.root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (foreign(d.Name()) || name != "." && under(name, records())):
			return fs.SkipDir
		case path.Ext(name) != ".md" || under(name, records()):
			return nil
		}
		text, err := fs.ReadFile(tr.root, name)
		for _, word := range obsoleteWord().FindAllString(unfenced(string(text)), -1) {
			found = append(found, finding{name, fmt.Sprintf("%q is obsolete; use the common word", word)})
		}
		return err
	})
	if err != nil {
		found = append(found, finding{".", err.Error()})
	}
	return found
}

// comments yields every comment with its file, except the expected output of examples.
func comments(tr *tree) iter.Seq2[*file, *ast.Comment] {
	return func(yield func(*file, *ast.Comment) bool) {
		for _, p := range tr.packages {
			for _, f := range p.all() {
				for _, group := range f.syntax.Comments {
					for _, c := range group.List {
						if strings.HasPrefix(c.Text, "// Output:") {
							break
						}
						if !yield(f, c) {
							return
						}
					}
				}
			}
		}
	}
}

// unfenced is a document without its fenced blocks, which are code and output.
func unfenced(text string) string {
	var prose strings.Builder
	for i, part := range strings.Split(text, "```") {
		if i%2 == 0 {
			prose.WriteString(part)
		}
	}
	return prose.String()
}

func wordCanaries() []canary {
	return []canary{
		{"comments about persons", persons, map[string]string{
			"p/a.go": "package p\n\n// No" + "body reads it.\nvar s = \"no" + "body\"\n",
			"p/b.go": "package p\n\n// Who" + "ever reads it, who" + " is late.\nvar t int\n",
		}, []string{"3 words for persons in 2 comment lines", "p/b.go: 2 words", "p/a.go: 1 words"}},
		{"few enough words for persons", persons, map[string]string{
			"p/a.go": "package p\n\n// No" + "body reads it.\n" + strings.Repeat("// Line.\n", 333),
		}, nil},
		{"obsolete words", obsoleteWords, map[string]string{
			"p/a.go":              "package p\n\n// It loops for" + " ever.\nvar s = \"for" + " ever\"\n",
			"docs/a.md":           "It is put" + " aside.\n```\nhee" + "d\n```\nmen" + "d",
			"docs/decisions/1.md": "for" + " ever",
		}, []string{"p/a.go:3", "docs/a.md: \"put" + " aside\"", "docs/a.md: \"men" + "d\""}},
	}
}
