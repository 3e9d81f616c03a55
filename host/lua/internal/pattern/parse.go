package pattern

import (
	"fmt"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// Parse reads a pattern. It takes a step for each byte.
func Parse(m *vm.Meter, text string) (*Pattern, error) {
	p := parser{meter: m, text: text}
	if p.looksAt('^') {
		p.Pattern.anchored = true
		p.at++
	}
	for p.at < len(text) {
		m.Step()
		if err := p.item(); err != nil {
			return nil, err
		}
		if p.at > maxLength {
			return nil, errTooLong
		}
	}
	if len(p.unclosed) > 0 {
		return nil, errUnfinished
	}
	p.add(item{kind: finish})
	return &p.Pattern, nil
}

// parser reads a pattern from left to right.
type parser struct {
	Pattern
	meter    *vm.Meter
	text     string
	at       int
	unclosed []int  // the captures that have begun and not ended, the innermost last
	ended    []bool // by capture
	repeats  int
	cut      bool // the last byte was a %
}

func (p *parser) add(it item) { p.items = append(p.items, it) }

// looksAt returns whether the next byte is b.
func (p *parser) looksAt(b byte) bool { return p.at < len(p.text) && p.text[p.at] == b }

// take reads a byte.
func (p *parser) take() byte {
	p.at++
	return p.text[p.at-1]
}

// item reads an item.
func (p *parser) item() error {
	switch b := p.take(); b {
	case '%':
		return p.escaped()
	case '.':
		p.add(item{kind: class, set: anyByte})
	case '[':
		return p.members()
	case '(':
		return p.begin()
	case ')':
		return p.close()
	case '*', '+', '-', '?':
		return p.repeat(b)
	default:
		if b == '$' && p.at == len(p.text) && len(p.unclosed) == 0 {
			p.toEnd = true
			return nil
		}
		p.add(item{kind: literal, byte: b})
	}
	return nil
}

// repeat reads a sign that repeats the single byte before it. Elsewhere it stands for itself.
func (p *parser) repeat(sign byte) error {
	if n := len(p.items); n > 0 && p.items[n-1].kind <= class && p.items[n-1].repeat == 0 {
		p.items[n-1].repeat = sign
		if p.repeats++; p.repeats > maxRepeats {
			return errTooComplex
		}
		return nil
	}
	p.add(item{kind: literal, byte: sign})
	return nil
}

// begin reads the rest of what begins with a parenthesis.
func (p *parser) begin() error {
	n := p.captures
	if p.captures++; p.captures > maxCaptures {
		return errCaptures
	}
	p.ended = append(p.ended, false)
	if p.looksAt(')') {
		p.at++
		p.ended[n] = true
		p.add(item{kind: position, n: n})
		return nil
	}
	p.unclosed = append(p.unclosed, n)
	p.add(item{kind: open, n: n})
	return nil
}

func (p *parser) close() error {
	last := len(p.unclosed) - 1
	if last < 0 {
		return fmt.Errorf("invalid ')' at %d", max(p.at-2, 0))
	}
	n := p.unclosed[last]
	p.unclosed = p.unclosed[:last]
	p.ended[n] = true
	p.add(item{kind: shut, n: n})
	return nil
}

// escaped reads what follows a %.
func (p *parser) escaped() error {
	if p.at == len(p.text) {
		p.add(item{kind: class, set: noByte})
		return nil
	}
	switch b := p.take(); {
	case b == '0':
		return fmt.Errorf("%w at %d", errNoCapture, p.at-2)
	case b >= '1' && b <= '9':
		if n := int(b - '1'); n < p.captures && p.ended[n] {
			p.add(item{kind: again, n: n})
		} else {
			p.add(item{kind: unmatched})
		}
	case b == 'b':
		p.add(item{kind: balanced, n: p.delimiter(), end: p.delimiter()})
	default:
		p.add(single(b))
	}
	return nil
}

// single is what matches % and a byte.
func single(b byte) item {
	if s, ok := classes[b]; ok {
		return item{kind: class, set: s}
	}
	return item{kind: literal, byte: b}
}

func (p *parser) delimiter() int {
	if p.at == len(p.text) {
		return never
	}
	return int(p.take())
}
