package main

import (
	"fmt"
	"strconv"
	"strings"
	"text/scanner"
)

// form is a piece of a program: a number, a text, a symbol, or a list of forms.
type form struct {
	line  int
	value value
}

type symbol string

// maxNesting bounds the lists within lists, so that no program uses up the parser's stack.
const maxNesting = 1000

// parser reads forms; it keeps the first error.
type parser struct {
	file string
	scanner.Scanner
	err error
}

// parse reads a program. An error names file and line.
func parse(file, text string) ([]form, error) {
	p := &parser{file: file}
	p.Init(strings.NewReader(text))
	p.Mode = scanner.ScanIdents | scanner.ScanStrings | scanner.ScanInts
	p.IsIdentRune = func(ch rune, _ int) bool { return ch > ' ' && !strings.ContainsRune("()\";", ch) }
	p.Error = func(_ *scanner.Scanner, msg string) { p.fail(p.Pos().Line, msg) }
	var program []form
	for p.next() != scanner.EOF {
		program = append(program, p.form(0))
	}
	return program, p.err
}

// next is the next token, behind comments: scanner.EOF also after an error.
func (p *parser) next() rune {
	tok := p.Scan()
	for tok == ';' {
		for ch := p.Next(); ch != '\n' && ch != scanner.EOF; ch = p.Next() {
		}
		tok = p.Scan()
	}
	if p.err != nil {
		return scanner.EOF
	}
	return tok
}

// form is the one that begins with the token just read.
func (p *parser) form(depth int) form {
	f := form{line: p.Position.Line}
	switch text := p.TokenText(); {
	case depth > maxNesting:
		p.fail(f.line, "lists are nested too deeply")
	case text == "(":
		f.value = p.list(f.line, depth)
	case text == ")":
		p.fail(f.line, "unexpected )")
	case text[0] == '"':
		f.value = p.text(text)
	default:
		f.value = symbol(text)
		if n, err := strconv.Atoi(text); err == nil {
			f.value = n
		}
	}
	return f
}

func (p *parser) list(line, depth int) (list []form) {
	list = []form{}
	for tok := p.next(); tok != ')'; tok = p.next() {
		if tok == scanner.EOF {
			p.fail(line, "the list has no )")
			return list
		}
		list = append(list, p.form(depth+1))
	}
	return list
}

func (p *parser) text(quoted string) string {
	text, err := strconv.Unquote(quoted)
	if err != nil {
		p.fail(p.Position.Line, "not a text: "+quoted)
	}
	return text
}

func (p *parser) fail(line int, msg string) {
	if p.err == nil {
		p.err = fmt.Errorf("%s:%d: %s", p.file, line, msg)
	}
}
