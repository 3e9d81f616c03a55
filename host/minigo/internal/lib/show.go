package lib

import (
	"fmt"
	"math"
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// plain is a number or a bool as the value that Go's fmt is to print. All signed
// integers print alike, and all unsigned ones.
func plain(t *code.Type, n []uint64) any {
	switch k := t.Kind; {
	case k == code.Bool:
		return n[0] != 0
	case k.Signed():
		return int64(n[0])
	case k.Integer():
		return n[0]
	case k == code.Float32:
		return float32(math.Float64frombits(n[0]))
	}
	return math.Float64frombits(n[0])
}

// maxShown is the depth to which values are shown: a cyclic value has no end.
const maxShown = 1 << 16

// bytesPerValue is the least number of bytes that cost as much as a value.
const bytesPerValue = 32

// tooFar reports whether to stop: the string is too long, or the value is nested too deeply.
func (p *printer) tooFar(depth int) bool {
	p.room -= bytesPerValue
	p.text.Spend(value.StepBytes)
	p.tooDeep = p.tooDeep || depth > maxShown
	return p.stopped()
}

// show writes a value. open says that its methods may be called: it is not in an unexported
// field.
func (p *printer) show(verb rune, t *code.Type, n []uint64, r []any, depth int, open bool) {
	if p.tooFar(depth) {
		return
	}
	if open && !p.erroring && t.Kind != code.Interface {
		if verb == 'w' {
			if !p.wraps || t.Method(p.methods[errorMethod]) == nil {
				p.badVerb(verb, t, n, r)
				return
			}
			verb = 'v'
		}
		if method, ok := p.speaks(verb, t); ok {
			p.say(verb, method, t, n, r)
			return
		}
	}
	switch t.Kind {
	case code.Interface:
		p.showInterface(verb, t, p.ts.Interface(n, r), depth, open)
	case code.Struct:
		p.showStruct(verb, t, n, r, depth, open)
	case code.Slice:
		o, _ := r[0].(*value.Object)
		s := Slice{o, int(n[0]), int(n[1]), int(n[2])}
		p.host.watchElements(s, t.Elem)
		p.showList(verb, t, s, depth, open)
	case code.Array:
		p.showList(verb, t, Slice{&value.Object{N: n, R: r}, 0, int(t.Len), int(t.Len)}, depth, open)
	case code.Map:
		p.showMap(verb, t, r[0], depth, open)
	case code.Pointer, code.Chan, code.Function:
		p.showRef(verb, t, n, r, depth)
	default:
		p.showPlain(verb, t, n, r)
	}
}

// speaks is the method that formats a value of the type.
func (p *printer) speaks(verb rune, t *code.Type) (method int, ok bool) {
	if p.sharpV {
		return goStringMethod, t.Method(p.methods[goStringMethod]) != nil
	}
	if !strings.ContainsRune("vsxXq", verb) {
		return 0, false
	}
	if t.Method(p.methods[errorMethod]) != nil {
		return errorMethod, true
	}
	return stringMethod, t.Method(p.methods[stringMethod]) != nil
}

// badVerb writes a verb that does not fit the value.
func (p *printer) badVerb(verb rune, t *code.Type, n []uint64, r []any) {
	p.erroring = true
	p.write("%!" + string(verb) + "(" + t.Name + "=")
	p.show('v', t, n, r, 0, true)
	p.write(")")
	p.erroring = false
}

// verbsOf are the verbs that fit values of a basic type; the last is the meaning of v.
func verbsOf(k code.Kind) string {
	switch {
	case k == code.Bool:
		return "vt"
	case k == code.String:
		return "vxXqs"
	case k.Float():
		return "vbGxXfFeEg"
	}
	return "vboOxXcqUd"
}

func (p *printer) showPlain(verb rune, t *code.Type, n []uint64, r []any) {
	verbs := verbsOf(t.Kind)
	if !strings.ContainsRune(verbs, verb) {
		p.badVerb(verb, t, n, r)
		return
	}
	if verb == 'v' && (p.plus || p.sharp) { // they are flags of another verb: with v they would mean something else
		verb = rune(verbs[len(verbs)-1])
	}
	if t.Kind == code.String {
		p.string(verb, value.Str(r[0]))
		return
	}
	p.byHost(verb, plain(t, n), 0)
}

// byHost formats a value of a basic type; bytes bounds its length without the width.
func (p *printer) byHost(verb rune, x any, bytes int64) {
	p.room -= p.width + p.precision
	if p.fits(bytes) {
		p.text.addf(p.layout(verb), x)
	}
}

// bytesPerByte is how many bytes a directive makes of one, at most.
const bytesPerByte = 5

// string writes a text.
func (p *printer) string(verb rune, s string) {
	if (verb == 's' || verb == 'v') && p.flags == (flags{}) {
		p.write(s)
		return
	}
	if len(s) > value.PieceBytes {
		p.longString(verb, s)
		return
	}
	p.byHost(verb, s, bytesPerByte*int64(len(s)))
}

func (p *printer) showInterface(verb rune, t *code.Type, v value.Interface, depth int, open bool) {
	switch {
	case v.T != nil:
		n, r := v.Parts(v.T)
		p.show(verb, v.T, n, r, depth, open)
	case p.sharpV:
		p.write(t.Name + "(nil)")
	default:
		p.write("<nil>")
	}
}

func (p *printer) showRef(verb rune, t *code.Type, n []uint64, r []any, depth int) {
	o, isObject := r[0].(*value.Object)
	switch {
	case depth == 0 && isObject && t.Kind == code.Pointer && composite(t.Elem):
		p.write("&")
		p.host.watchElements(Slice{Object: o, Len: 1}, t.Elem)
		p.show(verb, t.Elem, o.N, o.R, depth+1, true)
	case !strings.ContainsRune("vbodxX", verb):
		p.badVerb(verb, t, n, r)
	default:
		p.address(verb, t, r[0] != nil)
	}
}

// nothing writes the text for nil, padded to the width and never cut.
func (p *printer) nothing() {
	kept := p.flags
	p.precision, p.hasPrecision = 0, false
	p.string('s', "<nil>")
	p.flags = kept
}

// reference reports whether values of the kind have an address.
func reference(k code.Kind) bool {
	return k == code.Pointer || k == code.Chan || k == code.Function || k == code.Map || k == code.Slice
}

func composite(t *code.Type) bool {
	return t.Kind == code.Struct || t.Kind == code.Array || t.Kind == code.Slice || t.Kind == code.Map
}

// anAddress is shown for every pointer: a program must not depend on addresses.
const anAddress = 0xc000010000

// address writes the address of a value.
func (p *printer) address(verb rune, t *code.Type, set bool) {
	at := uint64(0)
	if set {
		at = anAddress
	}
	kept := p.flags
	switch {
	case verb == 'v' && p.sharpV && !set:
		p.write("(" + t.Name + ")(nil)")
	case verb == 'v' && p.sharpV:
		p.write(fmt.Sprintf("(%s)(%#x)", t.Name, at))
	case verb == 'v' && !set:
		p.nothing()
	case verb == 'v' || verb == 'p':
		p.plusV, p.sharp, verb = false, !p.sharp, 'x'
		fallthrough
	default:
		p.byHost(verb, at, 0)
	}
	p.flags = kept
}

// brackets are the text around the parts of a value, and between them.
func (p *printer) brackets(name, opening, closing string) (begin, sep, end string) {
	if p.sharpV {
		return name + "{", ", ", "}"
	}
	return opening, " ", closing
}

func (p *printer) showStruct(verb rune, t *code.Type, n []uint64, r []any, depth int, open bool) {
	begin, sep, end := p.brackets(t.Name, "{", "}")
	p.write(begin)
	for i := range t.Fields {
		x := &t.Fields[i]
		if i > 0 {
			p.write(sep)
		}
		if p.plusV || p.sharpV {
			p.write(x.Name + ":")
		}
		p.show(verb, x.Type, n[x.N:x.N+x.Type.N], r[x.R:x.R+x.Type.R], depth+1, open && x.Exported)
	}
	p.write(end)
}

func (p *printer) showList(verb rune, t *code.Type, s Slice, depth int, open bool) {
	if t.Elem.Kind == code.Uint8 && strings.ContainsRune("sqxX", verb) {
		p.string(verb, s.Text(p.text.Pace, false))
		return
	}
	name := t.Name
	if depth == 0 && name == "[]uint8" {
		name = "[]byte" // as Go's fmt says of an argument, but not of what is in one
	}
	if p.sharpV && s.Object == nil && t.Kind == code.Slice {
		p.write(name + "(nil)")
		return
	}
	begin, sep, end := p.brackets(name, "[", "]")
	p.write(begin)
	for i := range s.Len {
		if p.stopped() {
			return
		}
		if i > 0 {
			p.write(sep)
		}
		e := t.Elem
		a, b := (s.Off+i)*e.N, (s.Off+i)*e.R
		p.show(verb, e, s.N[a:a+e.N], s.R[b:b+e.R], depth+1, open)
	}
	p.write(end)
}

func (p *printer) showMap(verb rune, t *code.Type, ref any, depth int, open bool) {
	m, _ := ref.(*value.Map)
	if p.sharpV && m == nil {
		p.write(t.Name + "(nil)")
		return
	}
	if m != nil && p.host.Watcher != nil {
		p.host.Watcher.Map(m)
	}
	begin, sep, end := p.brackets(t.Name, "map[", "]")
	p.write(begin)
	entries, version := p.sortedEntries(m)
	for i, entry := range entries {
		if p.unchanged(m, version); p.stopped() {
			return
		}
		if i > 0 {
			p.write(sep)
		}
		n, r := m.Key(int(entry))
		vn, vr := m.Value(int(entry))
		p.show(verb, t.Key, n, r, depth+1, open)
		p.write(":")
		n, r = vn, vr
		p.show(verb, t.Elem, n, r, depth+1, open)
	}
	p.write(end)
}
