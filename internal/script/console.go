package script

import (
	"fmt"
	"regexp"
	"strings"
)

// Console is the part of a World that all languages share: the output so far, the place in the
// script, and the first bug of the library.
type Console struct {
	File  string // how error lines name the script
	line  int
	count int // commands so far
	out   []string
	fault string
}

// Begin notes the place of the next command. It returns false if the script has had its limit of
// commands already; the first command beyond the limit reports that.
func (c *Console) Begin(l Line, limit int) bool {
	c.line = l.Number
	c.count++
	if c.count == limit+1 {
		c.Mistake("a script has at most %d commands; split the story", limit)
	}
	return c.count <= limit
}

// Place is where the current command stands, as x.txt:12.
func (c *Console) Place() string { return fmt.Sprintf("%s:%d", c.File, c.line) }

// Say adds to the output. It cuts off trailing space and drops blank lines, because a blank line
// ends the output in a script.
func (c *Console) Say(format string, args ...any) {
	for s := range strings.Lines(fmt.Sprintf(format, args...)) {
		if s = strings.TrimRight(s, " \t\r\n"); s != "" {
			c.out = append(c.out, s)
		}
	}
}

// Mistake reports a wrong script: where, what, and how to correct it.
func (c *Console) Mistake(format string, args ...any) {
	c.Say("%s: %s", c.Place(), fmt.Sprintf(format, args...))
}

// Blame reports a bug of the library. The first one becomes the Fault of the script.
func (c *Console) Blame(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	c.Say("%s", text)
	if c.fault == "" {
		c.fault = c.Place() + ": " + text
	}
}

// TakeOutput is the output since the last call.
func (c *Console) TakeOutput() []string {
	out := c.out
	c.out = nil
	return out
}

// Fault is the first bug of the library that was met, or "".
func (c *Console) Fault() string { return c.fault }

// Names replaces the identifiers that the library prints by the names that a script gave.
type Names struct {
	ids *regexp.Regexp
	of  func(id string) string // "" if the script has no name for it
}

// NewNames replaces what the pattern matches. The library may print the name in quotes behind
// an identifier; it is left out where it repeats the name of the script.
func NewNames(pattern string, of func(id string) string) Names {
	return Names{regexp.MustCompile(`\b` + pattern + `\b( "[^"]*")?`), of}
}

// In is the text with the names of the script.
func (n Names) In(text string) string {
	return n.ids.ReplaceAllStringFunc(text, func(found string) string {
		id, quoted, _ := strings.Cut(found, " ")
		name := n.of(id)
		switch {
		case name == "":
			return found
		case quoted == "" || quoted == `"`+name+`"`:
			return name
		}
		return name + " " + quoted
	})
}
