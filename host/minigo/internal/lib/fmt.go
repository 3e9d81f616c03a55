package lib

import (
	"errors"
	"slices"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

func fmtNatives() map[string]Func {
	return map[string]Func{
		"fmt.format": format,
		"fmt.write":  func(c *Call) { c.write(c.Stdout, c.String()) },
	}
}

// The functions that format serves.
const (
	forPrint = iota
	forPrintln
	forPrintf
	forErrorf
)

// format formats as Go's fmt does. It returns the text, the values whose methods have to be
// called first, the methods to call, and the arguments that a %w has wrapped.
func format(c *Call) {
	what, layout := c.Int(), c.String()
	args, said := c.Slice(), c.Slice()
	p := &printer{host: c.Host, ts: c.Types, args: args, said: said, answered: said.Object != nil, wraps: what == forErrorf, room: maxFormatted, text: chunks{Pace: c.Pace, alloc: c.Alloc}}
	p.methods = [...]int32{c.Program.ErrorMethod, c.Program.StringMethod, c.Program.GoStringMethod}
	switch what {
	case forPrint:
		p.print()
	case forPrintln:
		p.println()
	default:
		p.printf(layout)
	}
	switch {
	case p.tooDeep:
		c.Then, c.Err = Fatal, errors.New("stack overflow")
		return
	case p.room < 0:
		c.TooLong()
		return
	}
	if c.Over() {
		return
	}
	if p.changed {
		c.Then, c.Err = Fatal, errors.New("concurrent map iteration and map write")
		return
	}
	c.ReturnString(p.text.String())
	c.Alloc(value.Bytes(4*len(p.ask), len(p.ask)))
	o := value.NewObject(2*len(p.ask), len(p.ask))
	for i, v := range p.ask {
		o.N[2*i], o.N[2*i+1], o.R[i] = uint64(v.T.ID), v.W, v.R
	}
	c.ReturnSlice(Slice{o, 0, len(p.ask), len(p.ask)})
	c.returnInts(p.which)
	slices.Sort(p.wrapped)
	c.returnInts(p.wrapped)
}

func (c *Call) returnInts(list []int) {
	o := value.NewObject(len(list), 0)
	for i, x := range list {
		o.N[i] = uint64(x)
	}
	c.ReturnSlice(Slice{o, 0, len(list), len(list)})
}

// The methods that format a value, by their index in printer.methods; atNil is added for a nil
// pointer.
const (
	errorMethod = iota
	stringMethod
	goStringMethod
	atNil
)

// printer is one call of format.
type printer struct {
	host    *Host
	ts      value.Types
	methods [3]int32
	args    Slice
	text    chunks
	flags

	said     Slice // the result of each method call, if already known
	answered bool
	asked    int
	ask      []value.Interface
	which    []int

	wraps    bool // for Errorf
	wrapped  []int
	erroring bool // a value is shown with a wrong verb: its methods are not called
	room     int  // how many bytes may still be written
	tooDeep  bool // the value is nested too deeply
	changed  bool // another goroutine has changed a map that is shown
}

// maxFormatted limits the text that widths in a layout, or the parts of values, produce.
const maxFormatted = 1 << 27

// fits reports whether there is room for so many more bytes.
func (p *printer) fits(more int64) bool {
	if int64(p.text.size)+more > maxString {
		p.room = -1
	}
	return !p.stopped()
}

// stopped reports whether no more text is needed.
func (p *printer) stopped() bool { return p.room < 0 || p.tooDeep || p.changed || p.text.Over() }

func (p *printer) write(s string) {
	if p.fits(int64(len(s))) {
		p.text.add(s)
	}
}

// print writes a space between two arguments if neither is a string.
func (p *printer) print() {
	before := true
	for i := 0; i < p.args.Len && !p.stopped(); i++ {
		v := p.args.Interface(p.ts, i)
		text := v.T != nil && v.T.Kind == code.String
		if i > 0 && !text && !before {
			p.write(" ")
		}
		p.argument('v', v)
		before = text
	}
}

func (p *printer) println() {
	for i := 0; i < p.args.Len && !p.stopped(); i++ {
		if i > 0 {
			p.write(" ")
		}
		p.argument('v', p.args.Interface(p.ts, i))
	}
	p.write("\n")
}

// argument shows an argument, or its type or address.
func (p *printer) argument(verb rune, v value.Interface) {
	switch {
	case v.T == nil && (verb == 'T' || verb == 'v'):
		p.nothing()
	case v.T == nil:
		p.write("%!" + string(verb) + "(<nil>)")
	case verb == 'T':
		p.string('s', v.T.Name)
	default:
		n, r := v.Parts(v.T)
		switch {
		case verb != 'p':
			p.show(verb, v.T, n, r, 0, true)
		case reference(v.T.Kind):
			p.address(verb, v.T, r[0] != nil)
		default:
			p.badVerb(verb, v.T, n, r)
		}
	}
}

// say writes the result of a method of the value, or asks for it.
func (p *printer) say(verb rune, method int, t *code.Type, n []uint64, r []any) {
	p.asked++
	if !p.answered {
		p.ask = append(p.ask, value.Interface{T: t, Packed: value.Pack(t, n, r)})
		if t.Kind == code.Pointer && r[0] == nil {
			method += atNil
		}
		p.which = append(p.which, method)
		return
	}
	if p.asked > p.said.Len { // an earlier method call has changed the arguments
		return
	}
	answer := p.said.String(p.asked - 1)
	switch mark, text := answer[0], answer[1:]; {
	case mark == '!':
		p.write("%!" + string(verb) + "(PANIC=" + text + ")")
	case mark == '0':
		p.write("<nil>")
	case method == goStringMethod:
		p.string('s', text)
	default:
		p.string(verb, text)
	}
}
