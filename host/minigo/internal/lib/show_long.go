package lib

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// longString writes a long text with flags, or another verb than s, piece by piece.
func (p *printer) longString(verb rune, s string) {
	if p.hasPrecision {
		s = firstOf(p.text.Pace, s, p.precision, verb == 'x' || verb == 'X')
	}
	if !p.fits(bytesPerByte * int64(len(s))) {
		return
	}
	t := p.newText()
	switch {
	case verb == 'x' || verb == 'X':
		p.hex(t, verb, s)
	case verb == 'q' || p.sharpV:
		t = p.quoted(s)
	default:
		t.Pieces(0, len(s), 1, func(lo, hi int) { t.add(s[lo:hi]) })
	}
	p.padded(t)
}

// newText is an empty text.
func (p *printer) newText() *chunks { return &chunks{Pace: p.text.Pace, alloc: p.text.alloc} }

// firstOf is the first n runes of a string, or its first n bytes.
func firstOf(p *value.Pace, s string, n int, bytes bool) string {
	if bytes {
		return s[:min(n, len(s))]
	}
	for i := range s {
		if p.Spend(1); n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func (p *printer) hex(t *chunks, verb rune, s string) {
	layout := "%" + string(verb)
	switch {
	case p.space && p.sharp:
		layout = "% #" + string(verb)
	case p.space:
		layout = "% " + string(verb)
	case p.sharp:
		t.add("0" + string(verb))
	}
	t.Pieces(0, len(s), 1, func(lo, hi int) {
		if lo > 0 && p.space {
			t.add(" ")
		}
		t.add(fmt.Sprintf(layout, s[lo:hi]))
	})
}

func (p *printer) quoted(s string) *chunks {
	if p.sharp {
		plain := true
		runePieces(p.text.Pace, s, func(part string) bool {
			plain = strconv.CanBackquote(part)
			return plain
		})
		if plain {
			t := p.newText()
			for _, part := range [...]string{"`", s, "`"} {
				t.add(part)
			}
			return t
		}
	}
	if p.plus {
		return quoted(p.newText(), s, strconv.QuoteToASCII)
	}
	return quoted(p.newText(), s, strconv.Quote)
}

// padded writes a text with spaces, or zeros, up to the width.
func (p *printer) padded(t *chunks) {
	s := t.String()
	missing := 0
	if p.hasWidth && len(s) < p.width*utf8.UTFMax {
		missing = max(0, p.width-runeCount(p.text.Pace, s))
	}
	p.room -= missing
	fill := " "
	if p.zero && !p.minus {
		fill = "0"
	}
	if !p.minus {
		p.write(strings.Repeat(fill, missing))
	}
	if p.write(s); p.minus {
		p.write(strings.Repeat(fill, missing))
	}
}
