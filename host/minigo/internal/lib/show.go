package lib

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// plain is a value of a basic type as a Go value of that type.
func plain(t *code.Type, n []uint64, r []any) (any, bool) {
	switch t.Kind {
	case code.Bool:
		return n[0] != 0, true
	case code.Int:
		if int64(int(n[0])) != int64(n[0]) { // on a host of 32 bits
			return int64(n[0]), true
		}
		return int(n[0]), true
	case code.Int8:
		return int8(n[0]), true
	case code.Int16:
		return int16(n[0]), true
	case code.Int32:
		return int32(n[0]), true
	case code.Int64:
		return int64(n[0]), true
	case code.Uint:
		if uint64(uint(n[0])) != n[0] {
			return n[0], true
		}
		return uint(n[0]), true
	case code.Uint8:
		return uint8(n[0]), true
	case code.Uint16:
		return uint16(n[0]), true
	case code.Uint32:
		return uint32(n[0]), true
	case code.Uint64:
		return n[0], true
	case code.Uintptr:
		if uint64(uintptr(n[0])) != n[0] {
			return n[0], true
		}
		return uintptr(n[0]), true
	case code.Float32:
		return float32(math.Float64frombits(n[0])), true
	case code.Float64:
		return math.Float64frombits(n[0]), true
	case code.String:
		return value.Str(r[0]), true
	}
	return nil, false
}

// shown is a value that the host's fmt shows through it.
type shown struct {
	p *printer
	v value.Interface
}

// Format writes the value as Go's fmt writes it.
func (s shown) Format(f fmt.State, verb rune) {
	n, r := s.v.Parts(s.v.T)
	s.p.show(&bounded{f, s.p}, verb, s.v.T, n, r, 0, true)
}

// maxShown is how deep values are shown: one that holds itself has no end.
const maxShown = 1 << 16

// bytesPerValue is how many bytes are copied in the time that a value takes, at least.
const bytesPerValue = 32

// bounded is a fmt.State that drops what is more than maxFormatted.
type bounded struct {
	fmt.State
	p *printer
}

// Write counts.
func (b *bounded) Write(text []byte) (int, error) {
	if b.p.room -= len(text); b.p.room < 0 {
		return len(text), nil
	}
	return b.State.Write(text)
}

// tooFar tells whether nothing more is to be shown: the string gets too long, or the value is too
// deep.
func (p *printer) tooFar(depth int) bool {
	p.room -= bytesPerValue
	p.tooDeep = p.tooDeep || depth > maxShown
	return p.tooDeep || p.room < 0
}

// show writes a value. open says that its methods may be asked: it is not in a field that
// is not exported.
func (p *printer) show(f fmt.State, verb rune, t *code.Type, n []uint64, r []any, depth int, open bool) {
	if p.tooFar(depth) {
		return
	}
	goSyntax := verb == 'v' && f.Flag('#')
	if open && !goSyntax && t.Kind != code.Interface && p.speaks(t) && strings.ContainsRune("vsxXq", verb) {
		if t.Kind == code.Pointer && r[0] == nil {
			_, _ = io.WriteString(f, "<nil>")
			return
		}
		fmt.Fprintf(f, fmt.FormatString(f, verb), p.answer(value.Interface{T: t, Packed: value.Pack(t, n, r)}))
		return
	}
	if x, ok := plain(t, n, r); ok {
		fmt.Fprintf(f, fmt.FormatString(f, verb), x)
		return
	}
	switch t.Kind {
	case code.Interface:
		p.showInterface(f, verb, p.ts.Interface(n, r), depth, open, goSyntax)
	case code.Struct:
		p.showStruct(f, verb, t, n, r, depth, open, goSyntax)
	case code.Slice:
		o, _ := r[0].(*value.Object)
		p.showList(f, verb, t, Slice{o, int(n[0]), int(n[1]), int(n[2])}, depth, open, goSyntax)
	case code.Array:
		p.showList(f, verb, t, Slice{&value.Object{N: n, R: r}, 0, int(t.Len), int(t.Len)}, depth, open, goSyntax)
	case code.Map:
		p.showMap(f, verb, t, r[0], depth, open, goSyntax)
	default:
		p.showRef(f, verb, t, r[0], depth, goSyntax)
	}
}

func (p *printer) showInterface(f fmt.State, verb rune, v value.Interface, depth int, open, goSyntax bool) {
	if v.T == nil {
		_, _ = io.WriteString(f, "<nil>")
		return
	}
	n, r := v.Parts(v.T)
	p.show(f, verb, v.T, n, r, depth, open)
}

func (p *printer) showRef(f fmt.State, verb rune, t *code.Type, ref any, depth int, goSyntax bool) {
	o, isObject := ref.(*value.Object)
	switch {
	case ref == nil && goSyntax:
		fmt.Fprintf(f, "(%s)(nil)", t.Name)
	case ref == nil:
		_, _ = io.WriteString(f, "<nil>")
	case depth == 0 && isObject && t.Kind == code.Pointer && composite(t.Elem):
		_, _ = io.WriteString(f, "&")
		p.show(f, verb, t.Elem, o.N, o.R, depth+1, true)
	default:
		_, _ = io.WriteString(f, pointerText)
	}
}

func composite(t *code.Type) bool {
	return t.Kind == code.Struct || t.Kind == code.Array || t.Kind == code.Slice || t.Kind == code.Map
}

func (p *printer) showStruct(f fmt.State, verb rune, t *code.Type, n []uint64, r []any, depth int, open, goSyntax bool) {
	sep := " "
	if goSyntax {
		_, _ = io.WriteString(f, t.Name)
		sep = ", "
	}
	_, _ = io.WriteString(f, "{")
	for i := range t.Fields {
		x := &t.Fields[i]
		if i > 0 {
			_, _ = io.WriteString(f, sep)
		}
		if goSyntax || f.Flag('+') {
			_, _ = io.WriteString(f, x.Name+":")
		}
		p.show(f, verb, x.Type, n[x.N:x.N+x.Type.N], r[x.R:x.R+x.Type.R], depth+1, open && x.Exported)
	}
	_, _ = io.WriteString(f, "}")
}

func (p *printer) showList(f fmt.State, verb rune, t *code.Type, s Slice, depth int, open, goSyntax bool) {
	if t.Elem.Kind == code.Uint8 && strings.ContainsRune("sqxX", verb) {
		fmt.Fprintf(f, fmt.FormatString(f, verb), s.Bytes())
		return
	}
	begin, sep, end := "[", " ", "]"
	if goSyntax {
		name := t.Name
		if depth == 0 && name == "[]uint8" {
			name = "[]byte" // as Go's fmt says of an argument, but not of what is in one
		}
		if s.Object == nil && t.Kind == code.Slice {
			fmt.Fprintf(f, "%s(nil)", name)
			return
		}
		begin, sep, end = name+"{", ", ", "}"
	}
	_, _ = io.WriteString(f, begin)
	for i := range s.Len {
		if p.room < 0 || p.tooDeep {
			return
		}
		if i > 0 {
			_, _ = io.WriteString(f, sep)
		}
		e := t.Elem
		a, b := (s.Off+i)*e.N, (s.Off+i)*e.R
		p.show(f, verb, e, s.N[a:a+e.N], s.R[b:b+e.R], depth+1, open)
	}
	_, _ = io.WriteString(f, end)
}

func (p *printer) showMap(f fmt.State, verb rune, t *code.Type, ref any, depth int, open, goSyntax bool) {
	m, _ := ref.(*value.Map)
	begin, sep, end := "map[", " ", "]"
	if goSyntax {
		if m == nil {
			fmt.Fprintf(f, "%s(nil)", t.Name)
			return
		}
		begin, sep, end = t.Name+"{", ", ", "}"
	}
	_, _ = io.WriteString(f, begin)
	for i, entry := range sortedEntries(m) {
		if i > 0 {
			_, _ = io.WriteString(f, sep)
		}
		n, r := m.Key(entry)
		p.show(f, verb, t.Key, n, r, depth+1, open)
		_, _ = io.WriteString(f, ":")
		n, r = m.Value(entry)
		p.show(f, verb, t.Elem, n, r, depth+1, open)
	}
	_, _ = io.WriteString(f, end)
}

// sortedEntries are the entries of a map in the order of their keys, where keys have one.
func sortedEntries(m *value.Map) (entries []int) {
	it := value.NewIterator(m)
	for _, i := it.Next(); i >= 0; _, i = it.Next() {
		entries = append(entries, i)
	}
	slices.SortStableFunc(entries, func(a, b int) int {
		an, ar := m.Key(a)
		bn, br := m.Key(b)
		switch k := m.T.Key.Kind; {
		case k == code.String:
			return strings.Compare(value.Str(ar[0]), value.Str(br[0]))
		case k.Signed():
			return cmp.Compare(int64(an[0]), int64(bn[0]))
		case k.Float():
			return cmp.Compare(math.Float64frombits(an[0]), math.Float64frombits(bn[0]))
		case k.Integer() || k == code.Bool:
			return cmp.Compare(an[0], bn[0])
		}
		return 0
	})
	return entries
}
