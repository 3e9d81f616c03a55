package lib

import (
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// builderNatives are the methods of strings.Builder, whose one field holds the machine's.
func builderNatives(table map[string]Func) {
	table["strings.Builder.write"] = writeBuilder
	table["strings.Builder.String"] = func(c *Call) { c.ReturnRef(c.Shared(c.builder().String())) }
	table["strings.Builder.Len"] = func(c *Call) { c.ReturnInt(c.builder().Len()) }
	table["strings.Builder.Reset"] = func(c *Call) { c.builder().Reset() }
}

// builder is the receiver's.
func (c *Call) builder() *strings.Builder {
	o, ok := c.Ref().(*value.Object)
	if !ok {
		c.Fail("invalid memory address or nil pointer dereference")
		return &strings.Builder{}
	}
	b, _ := o.R[0].(*strings.Builder)
	if b == nil {
		b = &strings.Builder{}
		o.R[0] = b
	}
	return b
}

func writeBuilder(c *Call) {
	s, b := c.String(), c.builder()
	grows := b.Cap()-b.Len() < len(s)
	work := len(s)
	if grows {
		work += b.Len()
	}
	switch {
	case c.Then != GoOn:
	case len(s) > maxJoined-b.Len():
		c.TooLong()
	case !c.Effect(work):
	case work <= value.PieceBytes:
		if grows {
			c.Alloc(2*b.Cap() + len(s))
		}
		b.WriteString(s)
	default:
		c.writeLong(b, s, grows)
	}
}

// writeLong moves what a builder has, if it must grow, and appends to it.
func (c *Call) writeLong(b *strings.Builder, s string, grows bool) {
	if grows {
		c.Alloc(2*b.Cap() + len(s))
		c.Settle()
		var larger strings.Builder
		larger.Grow(2*b.Cap() + len(s))
		old := b.String()
		c.Pieces(0, len(old), 1, func(lo, hi int) { larger.WriteString(old[lo:hi]) })
		*b = larger
	}
	c.Pieces(0, len(s), 1, func(lo, hi int) { b.WriteString(s[lo:hi]) })
}
