package levels_test

import (
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// twin counts the levels of a valid program by the table in the package comment and the
// grammar of Lua, on the tokens of gopher-lua's own scanner.
type twin struct{ tokens []ast.Token }

func count(source string) int {
	t := &twin{}
	lexer := &parse.Lexer{}
	for scanner := parse.NewScanner(strings.NewReader(source), ""); ; {
		tok, err := scanner.Scan(lexer)
		if err != nil {
			panic(err)
		}
		t.tokens = append(t.tokens, tok)
		if tok.Type == parse.EOF {
			return t.block()
		}
	}
}

func (t *twin) next() ast.Token {
	tok := t.tokens[0]
	t.tokens = t.tokens[1:]
	return tok
}

// see tells whether the next token is one of the types, and skips it.
func (t *twin) see(types ...int) bool {
	for _, typ := range types {
		if t.tokens[0].Type == typ {
			t.next()
			return true
		}
	}
	return false
}

func (t *twin) is(typ int) bool { return t.tokens[0].Type == typ }

// block is the deepest of statements up to what ends them.
func (t *twin) block() (deepest int) {
	for {
		switch t.tokens[0].Type {
		case parse.EOF, parse.TEnd, parse.TElse, parse.TElseIf, parse.TUntil:
			return deepest
		}
		deepest = max(deepest, t.statement())
	}
}

func (t *twin) body() int {
	deepest := t.block()
	t.next()
	return deepest + 1
}

func (t *twin) statement() int {
	switch typ := t.tokens[0].Type; typ {
	case ';', parse.TBreak:
		t.next()
		return 0
	case parse.TGoto:
		t.tokens = t.tokens[2:]
		return 0
	case parse.T2Colon:
		t.tokens = t.tokens[3:]
		return 0
	case parse.TDo, parse.TRepeat, parse.TWhile, parse.TIf, parse.TFor:
		t.next()
		return t.compound(typ)
	case parse.TFunction:
		t.next()
		return t.function()
	case parse.TLocal:
		t.next()
		if t.see(parse.TFunction) {
			return t.function()
		}
		return t.local()
	case parse.TReturn:
		t.next()
		switch t.tokens[0].Type {
		case parse.EOF, parse.TEnd, parse.TElse, parse.TElseIf, parse.TUntil, ';':
			return 0
		}
		return t.list()
	}
	return t.assignmentOrCall()
}

func (t *twin) compound(typ int) (deepest int) {
	switch typ {
	case parse.TRepeat:
		deepest = t.body()
		return max(deepest, t.expression())
	case parse.TWhile:
		deepest = t.expression()
		t.next()
	case parse.TIf:
		return t.ifs(0)
	case parse.TFor:
		t.names()
		t.next() // = or in
		deepest = t.list()
		t.next()
	}
	return max(deepest, t.body())
}

func (t *twin) ifs(before int) int {
	deepest := t.expression()
	t.next()
	deepest = max(deepest, t.block()) + before
	switch t.next().Type {
	case parse.TElseIf:
		return max(deepest+1, t.ifs(before+1))
	case parse.TElse:
		return max(deepest+1, t.body()+before)
	}
	return deepest + 1
}

func (t *twin) local() int {
	t.names()
	if !t.see('=') {
		return 0
	}
	return t.list()
}

func (t *twin) names() {
	for t.next(); t.see(','); t.next() {
	}
}

func (t *twin) assignmentOrCall() int {
	deepest := t.suffixed()
	for t.see(',') {
		deepest = max(deepest, t.suffixed())
	}
	if t.see('=') {
		deepest = max(deepest, t.list())
	}
	return deepest
}

func (t *twin) list() int {
	deepest := t.expression()
	for t.see(',') {
		deepest = max(deepest, t.expression())
	}
	return deepest
}

func (t *twin) expression() int {
	links, deepest := 0, 0
	for {
		for t.see(parse.TNot, '-', '#') {
			links++
		}
		n, part := t.operand()
		links, deepest = links+n, max(deepest, part)
		if !t.see('+', '-', '*', '/', '%', '^', '<', '>', parse.TLte, parse.TGte, parse.TEqeq,
			parse.TNeq, parse.T2Comma, parse.TAnd, parse.TOr) {
			return links + deepest
		}
		links++
	}
}

// operand is the number of fields, indexes and calls of an operand, and the levels of
// its deepest part.
func (t *twin) operand() (links, part int) {
	switch {
	case t.see(parse.TNil, parse.TTrue, parse.TFalse, parse.TNumber, parse.TString, parse.T3Comma):
		return 0, 0
	case t.see(parse.TFunction):
		return 0, t.function()
	case t.see('{'):
		return 0, t.fields()
	}
	return t.chain()
}

func (t *twin) suffixed() int {
	links, part := t.chain()
	return links + part
}

func (t *twin) chain() (links, part int) {
	if t.see('(') {
		part = t.expression() + 1
	}
	t.next() // the name or )
	for {
		switch {
		case t.see('.'):
			t.next()
		case t.see('['):
			part = max(part, t.expression()+1)
			t.next()
		case t.see(':'):
			t.next()
			part = max(part, t.arguments())
		case t.is('('), t.is('{'), t.is(parse.TString):
			part = max(part, t.arguments())
		default:
			return links, part
		}
		links++
	}
}

func (t *twin) arguments() (deepest int) {
	switch {
	case t.see(parse.TString):
		return 0
	case t.see('{'):
		return t.fields()
	}
	t.next()
	if !t.is(')') {
		deepest = t.list()
	}
	t.next()
	return deepest + 1
}

func (t *twin) fields() (deepest int) {
	for !t.see('}') {
		switch {
		case t.see('['):
			deepest = max(deepest, t.expression()+1)
			t.tokens = t.tokens[2:] // ] =
		case t.is(parse.TIdent) && t.tokens[1].Type == '=':
			t.tokens = t.tokens[2:]
		}
		deepest = max(deepest, t.expression())
		t.see(',', ';')
	}
	return deepest + 1
}

func (t *twin) function() int {
	links := 0
	for !t.see('(') {
		if t.next().Type == '.' {
			links++
		}
	}
	for !t.see(')') {
		t.next()
	}
	const parameters = 1
	return max(links+parameters+1, t.body())
}
