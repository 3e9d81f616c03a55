package script

import "strings"

// Command is a row of a command table: how the command is written, beginning with its name, what
// it does in one line, and the function that carries it out.
type Command[F any] struct {
	Usage, Help string
	Do          F
}

// Name is the first word of the usage.
func (c *Command[F]) Name() string {
	name, _, _ := strings.Cut(c.Usage, " ")
	return name
}

// Table is all commands of a language, in the order of its guide. The help of the command line,
// the parser, the list in the guide and the random scripts of the tests are all made from it.
type Table[F any] struct {
	Commands []Command[F]
	// Guide is the page that explains the commands; a mistake names it. It may be empty.
	Guide string
}

// Usages gives how each command is written.
func (t Table[F]) Usages() (usages []string) {
	for i := range t.Commands {
		usages = append(usages, t.Commands[i].Usage)
	}
	return usages
}

// String lists the commands: how each is written and, indented below that, what it does.
func (t Table[F]) String() string {
	var b strings.Builder
	for i := range t.Commands {
		b.WriteString(t.Commands[i].Usage + "\n      " + t.Commands[i].Help + "\n")
	}
	return b.String()
}

// Parse cuts a line into words and finds the command that the first of them names. It reports a
// mistake in the line on the console and returns nil.
func (t Table[F]) Parse(c *Console, text string) (*Command[F], []string) {
	words, err := Split(text)
	if err != nil {
		c.Mistake("%v", err)
		return nil, nil
	}
	if len(words) == 0 { // the line is blank to Unicode, or a comment behind such blanks
		return nil, nil
	}
	var names []string
	for i := range t.Commands {
		if t.Commands[i].Name() == words[0] {
			return &t.Commands[i], words
		}
		names = append(names, t.Commands[i].Name())
	}
	switch best := Nearest(words[0], names); {
	case best != "":
		c.Mistake("no command %q; did you mean %s?", words[0], best)
	case t.Guide != "":
		c.Mistake("no command %q; %s lists them", words[0], t.Guide)
	default:
		c.Mistake("no command %q", words[0])
	}
	return nil, nil
}
