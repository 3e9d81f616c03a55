package lib

import (
	"strings"
	"unicode/utf8"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// wordBytes is the size of an element of a slice of bytes or runes.
const wordBytes = 8

// Text is a slice of bytes, or of runes, as a string.
func (s Slice) Text(p *value.Pace, runes bool) string {
	var b strings.Builder
	size := s.Len
	if runes {
		size = 0
		for i := range s.Len {
			size += max(utf8.RuneLen(rune(s.Word(i))), 0)
			if utf8.RuneLen(rune(s.Word(i))) < 0 { // it becomes utf8.RuneError
				size += utf8.RuneLen(utf8.RuneError)
			}
			p.Spend(wordBytes)
		}
	}
	b.Grow(size)
	for i := range s.Len {
		if runes {
			b.WriteRune(rune(s.Word(i)))
		} else {
			b.WriteByte(byte(s.Word(i)))
		}
		p.Spend(wordBytes)
	}
	return b.String()
}

// Units is a string as a slice of bytes, or of runes.
func Units(p *value.Pace, s string, runes bool) Slice {
	size := len(s)
	if runes {
		size = 0
		for range s {
			size++
			p.Spend(1)
		}
	}
	o := value.NewZeroed(p, size, 0)
	at := 0
	if !runes {
		for ; at < size; at++ {
			o.N[at] = uint64(s[at])
			p.Spend(wordBytes)
		}
		return Slice{Object: o, Len: size, Cap: size}
	}
	for _, c := range s {
		o.N[at] = uint64(int64(c))
		at++
		p.Spend(wordBytes)
	}
	return Slice{Object: o, Len: size, Cap: size}
}
