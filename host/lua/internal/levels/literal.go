package levels

// quoted reads a string from behind its first quote on.
func (l *lexer) quoted(quote byte) token {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == quote:
			l.pos++
			return text
		case c == '\\':
			l.pos++
			l.any()
		case isNewline(c):
			return stop
		default:
			l.pos++
		}
	}
	return stop
}

// number reads from behind the first character, a digit or a dot. gopher-lua reads 1..2 as one
// number, and accepts any character after the e and the sign of an exponent: 1e( is a number
// without a value.
func (l *lexer) number(first byte) token {
	if first == '0' && (l.skip('x') || l.skip('X')) {
		if !isHex(l.peek()) {
			return stop
		}
		for isHex(l.peek()) {
			l.pos++
		}
		return constant
	}
	l.digits()
	if l.skip('.') {
		l.digits()
	}
	if l.skip('e') || l.skip('E') {
		if !l.skip('-') {
			l.skip('+')
		}
		l.any()
		l.digits()
	}
	return constant
}

func (l *lexer) digits() {
	for isDigit(l.peek()) {
		l.pos++
	}
}

// any reads one character. A carriage return and a line feed, in either order, are one.
func (l *lexer) any() {
	if l.pos == len(l.src) {
		return
	}
	c := l.src[l.pos]
	l.pos++
	if isNewline(c) && isNewline(l.peek()) && l.peek() != c {
		l.pos++
	}
}

func isNewline(c byte) bool { return c == '\n' || c == '\r' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
