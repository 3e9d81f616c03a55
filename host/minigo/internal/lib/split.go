package lib

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// split is strings.SplitN, or with keep strings.SplitAfterN.
func (c *Call) split(s, sep string, n int, keep bool) {
	if n == 0 {
		c.ReturnSlice(Slice{})
		return
	}
	if len(s) <= value.PieceBytes && len(sep) <= maxNeedle {
		c.Spend(len(s))
		list := strings.SplitN(s, sep, n)
		if keep {
			list = strings.SplitAfterN(s, sep, n)
		}
		c.returnParts(list)
		return
	}
	pieces := 0
	eachPiece(c, s, sep, n, keep, func(string) { pieces++ })
	c.ReturnStrings(pieces, func(list []any) {
		i := 0
		eachPiece(c, s, sep, n, keep, func(piece string) {
			list[i] = c.Substring(piece)
			i++
		})
	})
}

// eachPiece calls f with each piece of a string.
func eachPiece(c *Call, s, sep string, n int, keep bool, f func(string)) {
	for i := 1; i != n && !c.Over(); i++ {
		at := index(c.Pace, s, sep)
		if sep == "" {
			_, at = utf8.DecodeRuneInString(s)
		}
		if c.Spend(32); at < 0 || sep == "" && at == len(s) {
			break
		}
		if keep {
			f(s[:at+len(sep)])
		} else {
			f(s[:at])
		}
		s = s[at+len(sep):]
	}
	if sep != "" || s != "" {
		f(s)
	}
}

// returnParts returns parts of an argument.
func (c *Call) returnParts(parts []string) {
	c.ReturnStrings(len(parts), func(list []any) {
		if !c.Limited {
			for i, s := range parts {
				list[i] = s
			}
			return
		}
		for i, s := range parts {
			list[i] = c.Substring(s)
		}
	})
}

// fields is strings.Fields.
func fields(c *Call) {
	s, n := c.String(), 0
	if len(s) <= value.PieceBytes {
		c.Spend(len(s))
		c.returnParts(strings.Fields(s))
		return
	}
	eachField(c, s, func(string) { n++ })
	c.ReturnStrings(n, func(list []any) {
		i := 0
		eachField(c, s, func(field string) {
			list[i] = c.Substring(field)
			i++
		})
	})
}

// eachField calls f with each field of a string.
func eachField(c *Call, s string, f func(string)) {
	start := -1
	for i, r := range s {
		if c.Spend(4); c.Over() {
			return
		}
		switch space := unicode.IsSpace(r); {
		case !space && start < 0:
			start = i
		case space && start >= 0:
			f(s[start:i])
			start = -1
		}
	}
	if start >= 0 {
		f(s[start:])
	}
}
