package lib

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

func fmtNatives() map[string]Func {
	return map[string]Func{
		"fmt.format": format,
		"fmt.write":  func(c *Call) { _, _ = io.WriteString(c.Stdout, c.String()) }, // as Go's Print, whose error nobody reads
	}
}

// format renders with the host's fmt: each argument as a Go value, or as one that knows
// how to show itself.
func format(c *Call) {
	line, formatted, layout := c.Bool(), c.Bool(), c.String()
	args, said := c.Slice(), c.Slice()
	p := &printer{ts: c.Types, room: maxFormatted, answered: said.Object != nil, said: said}
	p.errorMethod, p.stringMethod = c.Program.ErrorMethod, c.Program.StringMethod
	values := make([]any, args.Len)
	for i := range values {
		values[i] = p.argument(args.Interface(c.Types, i))
	}
	var text string
	switch {
	case formatted:
		if p.room -= widths(layout, values); p.room < 0 {
			c.TooLong()
			return
		}
		layout = p.verbs(layout, values, args)
		text = fmt.Sprintf(layout, values...)
	case line:
		text = fmt.Sprintln(values...)
	default:
		text = fmt.Sprint(values...)
	}
	switch {
	case p.tooDeep:
		c.Then, c.Err = Fatal, errors.New("stack overflow")
		return
	case p.room < 0:
		c.TooLong()
		return
	}
	c.Work += maxFormatted - p.room
	c.ReturnString(text)
	if p.answered {
		p.ask = nil
	}
	o := value.NewObject(2*len(p.ask), len(p.ask))
	for i, v := range p.ask {
		o.N[2*i], o.N[2*i+1], o.R[i] = uint64(v.T.ID), v.W, v.R
	}
	c.ReturnSlice(Slice{o, 0, len(p.ask), len(p.ask)})
}

// printer is one call of format.
type printer struct {
	ts                        value.Types
	errorMethod, stringMethod int32
	answered                  bool
	said                      Slice
	asked                     int
	ask                       []value.Interface
	room                      int  // how much more may be shown
	tooDeep                   bool // what is shown has no end
}

// speaks tells whether the type has a method that says what it is.
func (p *printer) speaks(t *code.Type) bool {
	return t.Method(p.errorMethod) != nil || t.Method(p.stringMethod) != nil
}

// answer is what the method of the value says.
func (p *printer) answer(v value.Interface) string {
	p.asked++
	if p.answered && p.asked <= p.said.Len {
		return p.said.String(p.asked - 1)
	}
	p.ask = append(p.ask, v)
	return ""
}

// argument is a value as the host's fmt should get it.
func (p *printer) argument(v value.Interface) any {
	if v.T == nil {
		return nil
	}
	n, r := v.Parts(v.T)
	if x, ok := plain(v.T, n, r); ok && !p.speaks(v.T) {
		return x
	}
	return shown{p, v}
}

// verbs replaces the verbs that look at the Go type of their argument.
func (p *printer) verbs(layout string, values []any, args Slice) string {
	if !strings.ContainsAny(layout, "Twp") {
		return layout
	}
	var b strings.Builder
	arg := 0
	for i := 0; i < len(layout); i++ {
		b.WriteByte(layout[i])
		if layout[i] != '%' {
			continue
		}
		for i++; i < len(layout) && strings.IndexByte("+-# 0123456789.[]*", layout[i]) >= 0; i++ {
			if layout[i] == '*' {
				arg++
			}
			b.WriteByte(layout[i])
		}
		if i == len(layout) {
			break
		}
		switch verb := layout[i]; {
		case verb == '%':
			arg--
			b.WriteByte(verb)
		case verb == 'w':
			b.WriteByte('v')
		case verb == 'T' && arg < len(values):
			values[arg] = "<nil>"
			if t := args.Interface(p.ts, arg).T; t != nil {
				values[arg] = t.Name
			}
			b.WriteByte('s')
		case verb == 'p' && arg < len(values):
			values[arg] = pointerText
			b.WriteByte('s')
		default:
			b.WriteByte(verb)
		}
		arg++
	}
	return b.String()
}

// maxFormatted is how much text the widths in a layout make, or values that have parts.
const maxFormatted = 1 << 27

// maxWidth is the largest width, or precision, that fmt heeds.
const maxWidth = 1_000_000

// widths is how much the widths and precisions in a layout can add to the text.
func widths(layout string, values []any) (sum int) {
	star := 0
	if strings.Contains(layout, "*") {
		star = starWidth(values)
	}
	digits := 0
	for i := 0; i < len(layout) && sum <= maxFormatted; i++ {
		switch b := layout[i]; {
		case b >= '0' && b <= '9':
			digits = min(10*digits+int(b-'0'), maxWidth)
			continue
		case b == '*':
			sum += star
		}
		sum, digits = sum+digits, 0
	}
	return sum
}

// starWidth is the largest width that an argument can ask for.
func starWidth(values []any) (width int) {
	for _, v := range values {
		switch n := reflect.ValueOf(v); {
		case n.CanInt():
			width = max(width, int(min(max(n.Int(), -n.Int()), maxWidth)))
		case n.CanUint():
			width = max(width, int(min(n.Uint(), maxWidth)))
		}
	}
	return width
}

// pointerText stands for every address: a program must not depend on one.
const pointerText = "0xc000010000"
