package script

import "strings"

// Separator stands between the commands of a paragraph and their output.
const Separator = "----"

// paragraph is one or more commands with one output. Comments and blank lines between two
// paragraphs are kept in front of the second.
type paragraph struct {
	before   []string // comments and blank lines
	commands []Line   // comments among them included
	divided  bool     // the Separator is there
	want     []string
}

// Line is a line of the script with its number, from 1.
type Line struct {
	Number int
	Text   string
}

// parse cuts a text into paragraphs. It accepts every text; mistakes in commands are found when
// they are run. The last paragraph may have no commands: it holds the comments at the end.
func parse(text string) []paragraph {
	var ps []paragraph
	var p paragraph
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for n, s := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		s = strings.TrimRight(s, " \t")
		switch {
		case s == "" && (p.divided || len(p.commands) > 0):
			ps = append(ps, p)
			p = paragraph{before: []string{""}}
		case p.divided:
			p.want = append(p.want, s)
		case s == Separator:
			p.divided = true
		case len(p.commands) == 0 && (s == "" || isComment(s)):
			p.before = append(p.before, s)
		default:
			p.commands = append(p.commands, Line{n + 1, s})
		}
	}
	return append(ps, p)
}

func isComment(s string) bool { return strings.HasPrefix(strings.TrimLeft(s, " \t"), "#") }

// write appends the paragraph with an output.
func (p *paragraph) write(b *strings.Builder, output []string) {
	for _, s := range p.before {
		b.WriteString(s + "\n")
	}
	for _, l := range p.commands {
		b.WriteString(l.Text + "\n")
	}
	if len(p.commands) == 0 && !p.divided {
		return
	}
	b.WriteString(Separator + "\n")
	for _, s := range output {
		b.WriteString(s + "\n")
	}
}
