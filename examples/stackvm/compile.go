package main

import (
	"fmt"
	"strconv"
	"strings"
)

// program is a compiled program.
type program struct {
	name string
	main *word
}

// word is a word of the program.
type word struct {
	name string
	code []instruction
}

type instruction struct {
	line int
	do   primitive
}

// compiler translates a text. The words of the program hide those of the language.
type compiler struct {
	tokens    []token
	line      int
	into      *word
	main      *word
	words     map[string]*word
	constants map[string]*value
	language  map[string]primitive
	open      []open
}

// compile makes a program of its text.
func compile(name, text string) (*program, error) {
	main := &word{name: "main"}
	c := &compiler{tokens: tokens(text), into: main, main: main,
		words: map[string]*word{}, constants: map[string]*value{}, language: primitives()}
	for len(c.tokens) > 0 {
		if err := c.compile(c.next()); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, c.line, err)
		}
	}
	if c.into != main || len(c.open) > 0 {
		return nil, fmt.Errorf("%s:%d: the program ends within %s", name, c.line, c.into.name)
	}
	return &program{name, main}, nil
}

// next is the next token; the empty one at the end.
func (c *compiler) next() (t token) {
	if len(c.tokens) > 0 {
		t, c.tokens = c.tokens[0], c.tokens[1:]
		c.line = t.line
	}
	return t
}

func (c *compiler) emit(do primitive) { c.into.code = append(c.into.code, instruction{c.line, do}) }

// literal emits what pushes a value.
func (c *compiler) literal(v value) { c.emit(func(c *code) error { return c.push(v) }) }

func (c *compiler) compile(t token) error {
	if t.quoted {
		c.literal(t.text)
		return nil
	}
	switch t.text {
	case ":":
		return c.define(c.next().text)
	case ";":
		return c.enddefinition()
	case "'":
		return c.tick(c.next().text)
	case "constant":
		return c.constant(c.next().text)
	case "if", "else", "then", "begin", "until":
		return c.control(t.text)
	}
	return c.word(t.text)
}

func (c *compiler) define(name string) error {
	if name == "" || c.into != c.main || len(c.open) > 0 {
		return fmt.Errorf("a definition begins on the outermost level, with a name")
	}
	c.into = &word{name: name}
	c.words[name] = c.into
	return nil
}

func (c *compiler) enddefinition() error {
	if c.into == c.main || len(c.open) > 0 {
		return fmt.Errorf("; ends a definition, and within %s none can end here", c.into.name)
	}
	c.into = c.main
	return nil
}

// tick pushes a word instead of executing it.
func (c *compiler) tick(name string) error {
	w, found := c.words[name]
	if do := c.language[name]; !found && do != nil {
		w, found = &word{name: name, code: []instruction{{c.line, do}}}, true
	}
	if !found {
		return fmt.Errorf("no word is called %q", name)
	}
	c.literal(w)
	return nil
}

// constant takes a value off the stack, which its name pushes from then on.
func (c *compiler) constant(name string) error {
	v := new(value)
	c.constants[name] = v
	c.emit(one(func(_ *code, x value) error { *v = x; return nil }))
	return nil
}

// word executes a word, or pushes a constant or a number.
func (c *compiler) word(name string) error {
	if w := c.words[name]; w != nil {
		c.emit(func(c *code) error { return c.enter(w) })
		return nil
	}
	if v := c.constants[name]; v != nil {
		c.emit(func(c *code) error {
			if *v == nil {
				return fmt.Errorf("%s has no value yet", name)
			}
			return c.push(*v)
		})
		return nil
	}
	if do := c.language[name]; do != nil {
		c.emit(do)
		return nil
	}
	n, err := strconv.Atoi(name)
	if err != nil {
		return fmt.Errorf("no word is called %q", name)
	}
	c.literal(n)
	return nil
}

// token is a word of the text, or a text between quotes.
type token struct {
	text   string
	line   int
	quoted bool
}

// tokens splits a program. Comments are between parentheses, or behind a backslash; a text between
// quotes is on one line.
func tokens(text string) (found []token) {
	for i, line := range strings.Split(text, "\n") {
		for line = strings.TrimSpace(line); line != "" && line[0] != '\\'; line = strings.TrimSpace(line) {
			word, rest, _ := strings.Cut(line, " ")
			switch {
			case word == "(":
				_, rest, _ = strings.Cut(rest, ")")
			case word[0] == '"':
				word, rest, _ = strings.Cut(line[1:], `"`)
				found = append(found, token{word, i + 1, true})
			default:
				found = append(found, token{word, i + 1, false})
			}
			line = rest
		}
	}
	return found
}
