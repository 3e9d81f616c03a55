package lib

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// chunks is a text in parts, so that it need not be copied while it grows.
type chunks struct {
	*value.Pace
	alloc func(bytes int)
	parts []string
	small []byte // the last part
	size  int
}

// newText is an empty text that a call makes.
func (c *Call) newText() *chunks { return &chunks{Pace: c.Pace, alloc: c.Alloc} }

// add appends to the text.
func (t *chunks) add(s string) {
	t.size += len(s)
	t.alloc(len(s))
	if len(s) < value.PieceBytes {
		t.Spend(len(s))
		if t.small = append(t.small, s...); len(t.small) >= value.PieceBytes {
			t.cut()
		}
		return
	}
	t.Expect(len(s)) // String copies it
	t.cut()
	t.parts = append(t.parts, s)
}

// addf appends a formatted value.
func (t *chunks) addf(layout string, x any) {
	before := len(t.small)
	t.small = fmt.Appendf(t.small, layout, x)
	added := len(t.small) - before
	t.size += added
	t.alloc(added)
	if t.Spend(added); len(t.small) >= value.PieceBytes {
		t.cut()
	}
}

// cut ends the last part.
func (t *chunks) cut() {
	if len(t.small) > 0 {
		t.parts = append(t.parts, string(t.small))
		t.small = t.small[:0]
	}
}

// String is the text.
func (t *chunks) String() string {
	if len(t.parts) == 0 {
		return string(t.small)
	}
	t.cut()
	t.alloc(t.size)
	if t.Settle(); t.Over() {
		return ""
	}
	var b strings.Builder
	b.Grow(t.size)
	for _, s := range t.parts {
		t.Pieces(0, len(s), 1, func(lo, hi int) { b.WriteString(s[lo:hi]) })
	}
	return b.String()
}

// returnText returns a text that may have become too long.
func (c *Call) returnText(t *chunks) {
	if t.size > maxJoined {
		c.TooLong()
		return
	}
	c.ReturnString(t.String())
}

// stuck reports whether a text needs no more parts: it is too long, or the attempt is over.
func (t *chunks) stuck() bool { return t.size > maxJoined || t.Over() }

func join(c *Call) {
	list, sep := c.Slice(), c.String()
	t := c.newText()
	for i := 0; i < list.Len && !t.stuck(); i++ {
		if i > 0 {
			t.add(sep)
		}
		t.add(list.String(i))
		c.Spend(16)
	}
	c.returnText(t)
}

func repeat(c *Call) {
	s, n := c.String(), c.Int()
	if n > 0 && len(s) > maxString/n {
		c.Then, c.Err = Throw, errRepeat
		return
	}
	t := c.newText()
	whole := min(n, max(1, value.PieceBytes/max(1, len(s))))
	for many := strings.Repeat(s, whole); n > 0 && s != "" && !t.stuck(); n -= whole {
		t.add(many[:min(n, whole)*len(s)])
	}
	c.returnText(t)
}

// replaceN is strings.Replace.
func (c *Call) replaceN(s, old, with string, n int) {
	if (len(s)+1)*(len(with)+1) <= value.PieceBytes && len(old) <= maxNeedle {
		text := strings.Replace(s, old, with, n)
		c.Spend(len(s) + len(text))
		c.ReturnString(text)
		return
	}
	t := c.newText()
	same, from := true, 0
	for i := 0; i != n && !t.stuck(); i++ {
		at := from
		if old != "" {
			next := index(c.Pace, s[from:], old)
			if next < 0 {
				break
			}
			at += next
		} else if i > 0 {
			if from == len(s) {
				break
			}
			_, width := utf8.DecodeRuneInString(s[from:])
			at += width
		}
		t.add(s[from:at])
		t.add(with)
		c.Spend(16)
		from, same = at+len(old), false
	}
	if same {
		c.ReturnSubstring(s)
		return
	}
	t.add(s[from:])
	c.returnText(t)
}

// mapped is a text of which f makes another one, piece by piece.
func (c *Call) mapped(s string, f func(string) string) {
	if len(s) <= value.PieceBytes {
		c.Spend(len(s))
		c.ReturnString(f(s))
		return
	}
	t := c.newText()
	runePieces(c.Pace, s, func(part string) bool {
		t.add(f(part))
		return !t.stuck()
	})
	c.returnText(t)
}

// texts are the elements of a []string.
func (c *Call) texts() []string {
	s := c.Slice()
	list := make([]string, 0, min(s.Len, value.PieceBytes))
	for i := 0; i < s.Len && !c.Over(); i++ {
		list = append(list, s.String(i))
		c.Spend(64)
	}
	return list
}
