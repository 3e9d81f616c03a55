package value

import "github.com/selvage-dev/selvage/host/minigo/internal/code"

// Object is a variable in memory, an array, or a part of either that shares its words and
// references. A pointer is an Object; a slice refers to one.
type Object struct {
	N    []uint64
	R    []any
	base *Object // what the object is a part of; nil if it is whole
}

// NewObject makes a zero object. Small ones are one allocation.
func NewObject(n, r int) *Object {
	switch {
	case n <= 1 && r == 0:
		o := new(struct {
			Object
			n [1]uint64
		})
		o.N = o.n[:n:n]
		return &o.Object
	case n == 0 && r == 1:
		o := new(struct {
			Object
			r [1]any
		})
		o.R = o.r[:]
		return &o.Object
	case n == 1 && r == 1:
		o := new(struct {
			Object
			n [1]uint64
			r [1]any
		})
		o.N, o.R = o.n[:], o.r[:]
		return &o.Object
	case n <= 2 && r <= 2:
		o := new(struct {
			Object
			n [2]uint64
			r [2]any
		})
		o.N, o.R = o.n[:n:n], o.r[:r:r]
		return &o.Object
	}
	o := &Object{}
	if n > 0 {
		o.N = make([]uint64, n)
	}
	if r > 0 {
		o.R = make([]any, r)
	}
	return o
}

// Whole is the object that the object is a part of, or itself.
func (o *Object) Whole() *Object {
	if o.base != nil {
		return o.base
	}
	return o
}

// The sizes of memory in bytes.
const (
	ObjectBytes = 64 // without words and references
	wordBytes   = 8
	refBytes    = 16
)

// Bytes is about how much memory so many words and references take as an object.
func Bytes(n, r int) int { return ObjectBytes + n*wordBytes + r*refBytes }

// NewZeroed makes an object as NewObject does, of any size.
func NewZeroed(p *Pace, n, r int) *Object {
	if n*8+r*16 <= PieceBytes {
		p.Spend(n*8 + r*16)
		return NewObject(n, r)
	}
	if n*8 <= PieceBytes {
		p.Spend(n * 8)
		p.Pieces(0, r, 16, func(int, int) {}) // Go's allocator sets the references to zero
		return NewObject(n, r)
	}
	o := NewObject(0, r)
	p.Pieces(0, r, 16, func(int, int) {})
	o.N = unset(n)
	p.Pieces(0, n, 8, func(lo, hi int) { clear(o.N[lo:hi]) })
	return o
}

// View is the part of the object that begins at the offsets.
func (o *Object) View(offN, offR, n, r int) *Object {
	return &Object{o.N[offN : offN+n : offN+n], o.R[offR : offR+r : offR+r], o.Whole()}
}

// Clone is a copy of a part.
func (o *Object) Clone(offN, offR, n, r int) *Object {
	c := NewObject(n, r)
	copy(c.N, o.N[offN:offN+n])
	copy(c.R, o.R[offR:offR+r])
	return c
}

// address identifies the target of a pointer, however the pointer was made. All pointers to
// zero-size values have the same address.
type address struct {
	n *uint64
	r *any
}

func addressOf(o *Object) (a address) {
	switch {
	case len(o.N) > 0:
		a.n = &o.N[0]
	case len(o.R) > 0:
		a.r = &o.R[0]
	}
	return a
}

// AddressOf is the same for all pointers to one target, and can be compared. Other references are
// their own.
func AddressOf(ref any) any {
	if o, ok := ref.(*Object); ok {
		return addressOf(o)
	}
	return ref
}

// SamePointer reports whether two pointers are equal.
func SamePointer(x, y any) bool {
	if x == y {
		return true
	}
	a, ok := x.(*Object)
	b, both := y.(*Object)
	if !ok || !both {
		return false
	}
	return addressOf(a) == addressOf(b)
}

// Closure is a function with the objects of the variables it uses.
type Closure struct {
	F    *code.Func
	Caps []any
}

// Packed is a value of any type in the form in which channels and interfaces hold it:
// a word and a reference, which is an *Object for what does not fit.
type Packed struct {
	W uint64
	R any
}

// Pack packs a value out of registers.
func Pack(t *code.Type, n []uint64, r []any) (p Packed) {
	if !t.Direct() {
		o := NewObject(t.N, t.R)
		copy(o.N, n[:t.N])
		copy(o.R, r[:t.R])
		p.R = o
		return p
	}
	if t.N == 1 {
		p.W = n[0]
	}
	if t.R == 1 {
		p.R = r[0]
	}
	return p
}

// Unpack copies a packed value into registers.
func (p Packed) Unpack(t *code.Type, n []uint64, r []any) {
	if !t.Direct() {
		o, ok := p.R.(*Object)
		if !ok { // the zero value, of a closed channel
			clear(n[:t.N])
			clear(r[:t.R])
			return
		}
		copy(n[:t.N], o.N)
		copy(r[:t.R], o.R)
		return
	}
	if t.N == 1 {
		n[0] = p.W
	}
	if t.R == 1 {
		r[0] = p.R
	}
}

// Parts are the words and references of a packed value.
func (p Packed) Parts(t *code.Type) (n []uint64, r []any) {
	if !t.Direct() {
		o := p.R.(*Object)
		return o.N, o.R
	}
	return []uint64{p.W}[:t.N], []any{p.R}[:t.R]
}

// Interface is an interface value; T is nil for nil.
type Interface struct {
	T *code.Type
	Packed
}

// Str is a string reference as a string.
func Str(r any) string {
	s, _ := r.(string)
	return s
}
