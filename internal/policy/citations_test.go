package policy

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestNothingCitesWhatIsNotInTheTree(t *testing.T) { hold(t, citations) }

var (
	// A link of a document: its words, its file, its anchor.
	docLink = regexp.MustCompile(`\[([^\]]*)\]\(([^)#:\s]*)(?:#([\w-]*))?\)`)
	// A file of docs that is named anywhere, with its anchor.
	docName = regexp.MustCompile(`\bdocs/[\w./-]*\w(?:#([\w-]*\w))?`)
	// A source file that is named by its path from the root.
	fileName    = regexp.MustCompile(`\b((?:actor|bench|blocking|cmd|examples|fiber|fiberio|host|inspect|internal|ioqueue|island|panicstate|pool|proptest|reactor|scheduler|scope|spec|stackful|trace|trampoline|wait)/[\w./-]*\w\.(?:go|md|pml|dfy|sh|txt))\b`)
	decision    = regexp.MustCompile(`\b[Dd]ecisions? (\d{4}(?:(?:,| and|, and) \d{4})*)`)
	number      = regexp.MustCompile(`\d{4}`)
	section     = regexp.MustCompile(`§ ?\d|\bDESIGN\b`)
	testName    = regexp.MustCompile("`([a-z/]+)\\.(Test\\w+)`")
	commentLine = regexp.MustCompile(`(?m)^\s*//.*$`)
	goName      = regexp.MustCompile("^`(\\w+)`$")
)

// citations objects to a link, a file, an anchor, a decision, a function or a test that
// is cited and does not exist, and to sections of documents outside the repository.
func citations(tr *tree) []finding {
	all := texts(tr)
	c := citer{tr: tr, all: all}
	for _, name := range sorted(all) {
		c.judge(name, all[name])
	}
	return c.found
}

// matches are the matches of an expression with their parts. To look for whole matches
// first is several times as fast.
func matches(re *regexp.Regexp, text string) [][]string {
	var all [][]string
	for _, m := range re.FindAllString(text, -1) {
		all = append(all, re.FindStringSubmatch(m))
	}
	return all
}

func sorted(all map[string]string) []string {
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

type citer struct {
	tr    *tree
	all   map[string]string
	found []finding
}

func (c *citer) object(name, what string) { c.found = append(c.found, finding{name, what}) }

func (c *citer) judge(name, text string) {
	if m := section.FindString(text); m != "" {
		c.object(name, "cites "+m+", a section of no document in the tree")
	}
	if path.Ext(name) == ".md" {
		for _, m := range matches(docLink, text) {
			c.link(name, m[1], m[2], m[3])
		}
	}
	for _, m := range matches(docName, text) {
		file, _, _ := strings.Cut(m[0], "#")
		if !c.exists(file) && !c.exists(path.Join(path.Dir(name), file)) {
			c.object(name, "cites "+file+", which is not there")
		} else if m[1] != "" && !c.hasAnchor(file, m[1]) {
			c.object(name, "cites "+m[0]+", a heading that is not there")
		}
	}
	prose := text
	if strings.HasSuffix(name, "_test.go") {
		prose = strings.Join(commentLine.FindAllString(text, -1), "\n") // tests make up files
	}
	for _, m := range matches(fileName, prose) {
		if !c.exists(m[1]) && !c.exists(path.Join(path.Dir(name), m[1])) {
			c.object(name, "cites "+m[1]+", which is not there")
		}
	}
	for _, m := range matches(decision, text) {
		for _, n := range number.FindAllString(m[1], -1) {
			if found, _ := fs.Glob(c.tr.root, "docs/decisions/"+n+"-*.md"); len(found) != 1 {
				c.object(name, "cites decision "+n+", which is not there")
			}
		}
	}
	if path.Ext(name) != ".md" {
		return
	}
	for _, m := range matches(testName, text) {
		if !c.declares(m[1], m[2]) {
			c.object(name, "cites test "+m[1]+"."+m[2]+", which is not there")
		}
	}
}

// link objects to a link of a document that leads nowhere. Where the words are a Go name
// in code font and the file is Go source, the file must declare it.
func (c *citer) link(name, words, file, anchor string) {
	target := path.Join(path.Dir(name), file)
	switch {
	case file == "":
		target = name
	case !strings.ContainsAny(file, "./"):
		return // it is code
	}
	switch m := goName.FindStringSubmatch(words); {
	case !c.exists(target):
		c.object(name, "links "+file+", which is not there"+c.elsewhere(target, m))
	case anchor != "" && path.Ext(target) == ".md" && !c.hasAnchor(target, anchor):
		c.object(name, "links "+file+"#"+anchor+", a heading that is not there")
	case m != nil && path.Ext(target) == ".go" && !declaresName(c.all[target], m[1]):
		c.object(name, "links "+m[1]+" in "+file+", which does not declare it"+c.elsewhere(target, m))
	}
}

// elsewhere says where in the folder of the file the name is declared.
func (c *citer) elsewhere(target string, m []string) string {
	if m == nil {
		return ""
	}
	for _, name := range sorted(c.all) {
		if path.Dir(name) == path.Dir(target) && path.Ext(name) == ".go" && declaresName(c.all[name], m[1]) {
			return "; it is in " + name
		}
	}
	return ""
}

func declaresName(src, name string) bool {
	return regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |var |const |\t)` + name + `\b`).MatchString(src)
}

func (c *citer) declares(dir, test string) bool {
	for name, src := range c.all {
		if path.Dir(name) == dir && strings.HasSuffix(name, "_test.go") && strings.Contains(src, "func "+test+"(") {
			return true
		}
	}
	return false
}

func (c *citer) exists(name string) bool {
	_, err := fs.Stat(c.tr.root, name)
	return err == nil
}

var heading = regexp.MustCompile("(?m)^#+ (.*)$")

// hasAnchor reports whether the document has a heading from which that anchor is made.
func (c *citer) hasAnchor(file, anchor string) bool {
	text, err := fs.ReadFile(c.tr.root, file)
	if err != nil {
		return false
	}
	for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
		if anchorOf(m[1]) == anchor {
			return true
		}
	}
	return false
}

func anchorOf(heading string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_':
			return r
		case r == ' ':
			return '-'
		}
		return -1
	}, heading)
	return kept
}

func citationCanaries() []canary {
	doc := "# Rules\n\n### I1\n\nA cow is an animal.\n"
	return []canary{
		{"a rule that does not exist", citedRules, map[string]string{
			"fiber/a.go": "package fiber // (I14)\n",
			"wait/a.go":  "package wait // (I12), rule CALL-ORDER\n",
			"scope/a.go": "package scope // breaks rule NO-SUCH\n",
		}, []string{"I14", "NO-SUCH"}},
		{"a broken contract without a rule", unruled, map[string]string{
			"wait/a.go":  "package wait\n\nfunc f() { panic(&ContractError{Op: \"f\"}) }\n",
			"scope/a.go": "package scope\n\nfunc f() { panic(\"scope: no\") }\n\nfunc g() { panic(\"scope: rule CLOSED\") }\n",
		}, []string{"scope/a.go", "wait/a.go"}},
		{"a link that leads nowhere", citations, map[string]string{
			"docs/a.md":    "[b](b.md) [c](c.md#x) [d](c.md#rules) [`f`](../fiber/a.go) [`g`](../fiber/a.go) `fiber.TestIt`\n",
			"docs/c.md":    doc,
			"fiber/a.go":   "package fiber\n\nfunc f() {}\n",
			"fiber/b.go":   "package fiber\n\nfunc g() {}\n",
			"ioqueue/a.go": "package ioqueue // decision 0099, wait/none.go, docs/c.md#rules, docs/c.md#none, \u00a72\n",
		}, []string{"links b.md", "c.md#x", "declare it; it is in fiber/b.go", "fiber.TestIt", "\u00a72", "docs/c.md#none", "wait/none.go", "decision 0099"}},
	}
}
