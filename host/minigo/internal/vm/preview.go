package vm

import (
	"math"
	"strconv"
	"strings"

	hostframe "github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// The part of a value that a preview shows.
const (
	previewDepth  = 2  // values in values
	previewParts  = 16 // of one
	previewPlaces = 64 // of a map, which are looked at for them
)

// preview writes a value much as the verb %+v does, with quoted texts and without addresses. It calls no method,
// charges nothing, and is bounded, whatever the value is. A value that its registers do not hold is "?".
type preview struct {
	types value.Types
	text  strings.Builder
}

// variable is the value of a variable in the window of a call, as short text.
func (m *Machine) variable(v *code.Variable, n []uint64, r []any) string {
	p := preview{types: m.types}
	at := [2]int{v.N, v.R}
	if v.Boxed {
		if v.R >= len(r) {
			return unknown
		}
		o, _ := r[v.R].(*value.Object)
		if o == nil {
			return unknown
		}
		n, r, at = o.N, o.R, [2]int{}
	}
	if v.Type.Kind == code.String && at[1] < len(r) {
		return hostframe.Quote(value.Str(r[at[1]]))
	}
	p.at(v.Type, n, r, at[0], at[1], 0)
	return hostframe.Clip(p.text.String())
}

const unknown = "?"

func (p *preview) write(s string) { p.text.WriteString(s) }

func (p *preview) full() bool { return p.text.Len() > 4*hostframe.MaxText }

// at writes the value that begins at a word and a reference, and is inside as many others.
func (p *preview) at(t *code.Type, n []uint64, r []any, word, ref, inside int) {
	if word < 0 || ref < 0 || word+t.N > len(n) || ref+t.R > len(r) {
		p.write(unknown)
		return
	}
	p.value(t, n[word:word+t.N], r[ref:ref+t.R], inside)
}

func (p *preview) value(t *code.Type, n []uint64, r []any, inside int) {
	switch k := t.Kind; {
	case k == code.Bool:
		p.write(strconv.FormatBool(n[0] != 0))
	case k.Signed():
		p.write(strconv.FormatInt(int64(n[0]), 10))
	case k.Integer():
		p.write(strconv.FormatUint(n[0], 10))
	case k == code.Float32:
		p.write(strconv.FormatFloat(math.Float64frombits(n[0]), 'g', -1, 32))
	case k == code.Float64:
		p.write(strconv.FormatFloat(math.Float64frombits(n[0]), 'g', -1, 64))
	case k == code.String:
		p.write(hostframe.Quote(value.Str(r[0])))
	case k == code.Interface:
		p.dynamic(n, r, inside)
	case k == code.Struct:
		p.structure(t, n, r, inside)
	case k == code.Array:
		p.list(t.Elem, n, r, 0, int(t.Len), inside)
	case k == code.Slice:
		p.slice(t, n, r, inside)
	default:
		p.reference(t, r, inside)
	}
}

// dynamic writes what an interface holds, with its type.
func (p *preview) dynamic(n []uint64, r []any, inside int) {
	if n[0] >= uint64(len(p.types)) {
		p.write(unknown)
		return
	}
	v := p.types.Interface(n, r)
	switch {
	case v.T == nil:
		p.write("<nil>")
		return
	case !v.T.Direct():
		o, _ := v.R.(*value.Object)
		if o == nil {
			p.write(unknown)
			return
		}
		n, r = o.N, o.R
	default:
		n, r = v.Parts(v.T)
	}
	p.write(v.T.Name + "(")
	p.at(v.T, n, r, 0, 0, inside)
	p.write(")")
}

func (p *preview) structure(t *code.Type, n []uint64, r []any, inside int) {
	p.parts("{", "}", len(t.Fields), inside, func(i int) {
		f := &t.Fields[i]
		p.write(f.Name + ":")
		p.at(f.Type, n, r, f.N, f.R, inside+1)
	})
}

func (p *preview) slice(t *code.Type, n []uint64, r []any, inside int) {
	o, _ := r[0].(*value.Object)
	if o == nil {
		o = &value.Object{}
	}
	p.list(t.Elem, o.N, o.R, int(n[0]), int(n[1]), inside)
}

// list writes the elements from an index on.
func (p *preview) list(elem *code.Type, n []uint64, r []any, from, length, inside int) {
	p.parts("[", "]", length, inside, func(i int) {
		p.at(elem, n, r, (from+i)*elem.N, (from+i)*elem.R, inside+1)
	})
}

// parts writes the first parts of a value.
func (p *preview) parts(opening, closing string, length, inside int, part func(i int)) {
	p.write(opening)
	for i := range length {
		if i > 0 {
			p.write(" ")
		}
		if inside == previewDepth || i == previewParts || p.full() {
			p.write("…")
			break
		}
		part(i)
	}
	p.write(closing)
}

func (p *preview) reference(t *code.Type, r []any, inside int) {
	switch of := r[0].(type) {
	case nil:
		p.write("<nil>")
	case *value.Map:
		p.entries(of, inside)
	case *value.Closure:
		p.write("func " + of.F.Name)
	case *value.Object:
		p.pointer(t, of, inside)
	case value.AnyChan:
		p.write(t.Name + " " + strconv.Itoa(of.Len()) + "/" + strconv.Itoa(of.Cap()))
	default:
		p.write(t.Name)
	}
}

// pointer writes what a pointer that is no part of a value points to.
func (p *preview) pointer(t *code.Type, o *value.Object, inside int) {
	if inside > 0 || t.Kind != code.Pointer {
		p.write(t.Name)
		return
	}
	p.write("&")
	p.at(t.Elem, o.N, o.R, 0, 0, inside+1)
}

func (p *preview) entries(m *value.Map, inside int) {
	p.write("map[")
	separator, shown := "", 0
	all := m.Peek(previewPlaces, func(kn []uint64, kr []any, vn []uint64, vr []any) bool {
		if inside == previewDepth || shown == previewParts || p.full() {
			return false
		}
		p.write(separator)
		p.at(m.T.Key, kn, kr, 0, 0, inside+1)
		p.write(":")
		p.at(m.T.Elem, vn, vr, 0, 0, inside+1)
		separator = " "
		shown++
		return true
	})
	if !all {
		p.write(separator + "…")
	}
	p.write("]")
}
