package levels

import "strings"

// token is the meaning of a token for the count of levels.
type token uint8

const (
	stop        token = iota // the end, or text that is not a token for gopher-lua
	name                     //
	constant                 // a number, nil, true, false, ...
	text                     // a string: also an argument
	paren                    // (
	brace                    // {
	bracket                  // [
	closing                  // ) } ] end until
	operator                 // of one operand or two, and the dot before a field
	colon                    // before a method, which is counted with its arguments
	function                 //
	block                    // do, if, repeat: statements follow, up to a closing
	elseif                   //
	declaration              // local, goto: names follow, which are not called
	comma                    //
	separator                // any other token that ends an expression
)

// lexer reads tokens. It finds line ends and lexical errors where gopher-lua does.
type lexer struct {
	src string
	pos int
}

func (l *lexer) next() token {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		l.pos++
		switch {
		case c == ' ', c == '\t', isNewline(c):
		case isLetter(c):
			return l.word()
		case isDigit(c):
			return l.number(c)
		case c == '-' && l.peek() == '-':
			if !l.comment() {
				return stop
			}
		default:
			return l.symbol(c)
		}
	}
	return stop
}

func (l *lexer) word() token {
	from := l.pos - 1
	for l.pos < len(l.src) && (isLetter(l.src[l.pos]) || isDigit(l.src[l.pos])) {
		l.pos++
	}
	switch l.src[from:l.pos] {
	case "and", "or", "not":
		return operator
	case "nil", "true", "false":
		return constant
	case "function":
		return function
	case "do", "if", "repeat":
		return block
	case "end", "until":
		return closing
	case "elseif":
		return elseif
	case "local", "goto":
		return declaration
	case "break", "else", "for", "in", "return", "then", "while":
		return separator
	}
	return name
}

func (l *lexer) symbol(c byte) token {
	switch c {
	case '(':
		return paren
	case '{':
		return brace
	case ')', '}', ']':
		return closing
	case ',':
		return comma
	case ';':
		return separator
	case '+', '-', '*', '/', '%', '^', '#':
		return operator
	case '"', '\'':
		return l.quoted(c)
	}
	return l.compound(c)
}

// compound reads a token whose meaning depends on its second character.
func (l *lexer) compound(c byte) token {
	switch c {
	case '[':
		if l.peek() == '[' || l.peek() == '=' {
			return l.ifText(l.long())
		}
		return bracket
	case '=':
		if l.skip('=') {
			return operator
		}
		return separator
	case '<', '>':
		l.skip('=')
		return operator
	case '~':
		if l.skip('=') {
			return operator
		}
	case ':':
		if l.skip(':') {
			return separator
		}
		return colon
	case '.':
		return l.dots()
	}
	return stop
}

func (l *lexer) dots() token {
	if isDigit(l.peek()) {
		return l.number('.')
	}
	l.skip('.')
	if l.skip('.') { // a third
		return constant
	}
	return operator
}

// comment reads from the second dash on. It fails where gopher-lua expects a long comment and
// finds none: --[=
func (l *lexer) comment() bool {
	l.pos++
	if l.skip('[') && (l.peek() == '[' || l.peek() == '=') {
		return l.long()
	}
	for l.pos < len(l.src) && !isNewline(l.src[l.pos]) {
		l.pos++
	}
	return true
}

// long reads from the second character of [[ or [=[ on, to the matching end.
func (l *lexer) long() bool {
	level := l.equals()
	if !l.skip('[') {
		return false
	}
	for {
		i := strings.IndexByte(l.src[l.pos:], ']')
		if i < 0 {
			return false
		}
		l.pos += i + 1
		if l.equals() == level && l.skip(']') {
			return true
		}
	}
}

func (l *lexer) equals() (n int) {
	for l.skip('=') {
		n++
	}
	return n
}

func (l *lexer) ifText(ok bool) token {
	if !ok {
		return stop
	}
	return text
}

// peek is the next character; 0 at the end. No token contains 0.
func (l *lexer) peek() byte {
	if l.pos < len(l.src) {
		return l.src[l.pos]
	}
	return 0
}

func (l *lexer) skip(c byte) bool {
	if l.pos < len(l.src) && l.src[l.pos] == c {
		l.pos++
		return true
	}
	return false
}
