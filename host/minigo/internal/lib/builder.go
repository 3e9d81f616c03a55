package lib

import (
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// builderNatives are the methods of strings.Builder, whose one field holds the machine's.
func builderNatives(table map[string]Func) {
	table["strings.Builder.write"] = writeBuilder
	table["strings.Builder.String"] = func(c *Call) { c.ReturnRef(c.Shared(c.builder(false).String())) }
	table["strings.Builder.Len"] = func(c *Call) { c.ReturnInt(c.builder(false).Len()) }
	table["strings.Builder.Reset"] = func(c *Call) { c.builder(true).Reset() }
}

// builder is the receiver's, and where it is.
func (c *Call) builder(writes bool) *strings.Builder {
	b, _ := c.builderAt(writes)
	return b
}

func (c *Call) builderAt(writes bool) (b *strings.Builder, at *any) {
	o, ok := c.Ref().(*value.Object)
	if !ok {
		c.Fail("invalid memory address or nil pointer dereference")
		return &strings.Builder{}, nil
	}
	at = &o.R[0]
	if c.Watcher != nil {
		c.Watcher.Words(nil, o.R[:1], writes)
	}
	if b, _ = (*at).(*strings.Builder); b == nil {
		b = &strings.Builder{}
		*at = b
	}
	return b, at
}

func writeBuilder(c *Call) {
	s := c.String()
	b, at := c.builderAt(true)
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
	case grows:
		c.growBuilder(b, s, at)
	default:
		c.appendTo(b, s)
	}
}

// growBuilder makes a larger builder with the text and an addition.
func (c *Call) growBuilder(b *strings.Builder, s string, at *any) {
	size := b.Len() + max(b.Len(), len(s), minBuilder)
	c.Alloc(size + builderBytes)
	if size > value.PieceBytes {
		c.Settle()
	}
	larger, old := &strings.Builder{}, b.String()
	larger.Grow(size)
	c.appendTo(larger, old)
	c.appendTo(larger, s)
	*at = larger
}

// appendTo writes to a builder that has room.
func (c *Call) appendTo(b *strings.Builder, s string) {
	for s != "" {
		part := s[:min(len(s), value.PieceBytes)]
		b.WriteString(part)
		c.Progress(len(part))
		s = s[len(part):]
	}
}

const (
	minBuilder   = 16
	builderBytes = 48
)
