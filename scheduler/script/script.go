package script

import (
	"path"
	"strings"
)

// maxCommands bounds a script, so that none runs for long: every command looks at the
// whole scheduler.
const maxCommands = 2000

// Run runs a script. The name is for messages; its last element appears in error
// lines, so that these do not depend on where the file lies. Any text is a script.
func Run(name, text string) *Result {
	r := &Result{name: name, paragraphs: parse(text)}
	w := newWorld(path.Base(name))
	for i := range r.paragraphs {
		for _, l := range r.paragraphs[i].commands {
			if !isComment(l.text) {
				w.obey(l)
			}
		}
		r.got = append(r.got, w.takeOutput())
	}
	r.fault = w.fault
	return r
}

// Rewrite is the script with the outputs that really come.
func Rewrite(name, text string) string {
	// The first pass may move lines whose numbers outputs mention; it decides how
	// many lines each output has, so the second is the last that changes anything.
	for range 2 {
		text = Run(name, text).Text()
	}
	return text
}

// Commands lists the commands, a line each: how each is written, and what it does.
func Commands() string {
	var b strings.Builder
	for _, c := range commands() {
		b.WriteString(c.usage + "\n      " + c.does + "\n")
	}
	return b.String()
}
