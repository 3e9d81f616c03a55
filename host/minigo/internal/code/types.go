package code

// Kind is the kind of a type's underlying type.
type Kind uint8

// The kinds, in groups: integers first, signed before unsigned.
const (
	Invalid Kind = iota
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Uintptr
	Float32
	Float64
	Bool
	String
	Pointer
	Function
	Chan
	Map
	Slice
	Array
	Struct
	Interface
)

// Signed reports whether the kind is a signed integer.
func (k Kind) Signed() bool { return k >= Int && k <= Int64 }

// Integer reports whether the kind is an integer.
func (k Kind) Integer() bool { return k >= Int && k <= Uintptr }

// Float reports whether the kind is a floating point number.
func (k Kind) Float() bool { return k == Float32 || k == Float64 }

// Type is the run-time form of a type, named by the first word of an interface.
type Type struct {
	ID   int32 // its number in Program.Types, from 1; 0 is the type of a nil interface
	Kind Kind
	Name string // as %T and panics print it: "main.T", "[]int"
	// Pkg and Local are the parts of the name of a type that has one.
	Pkg, Local string
	N, R       int // words and references of a value
	Elem, Key  *Type
	Len        int64
	Fields     []Field
	// Funcs are the methods by method number, nil where there is none.
	Funcs []*Func
	// Methods are the numbers of the methods an interface asks for.
	Methods []int32
	// Comparable is false if == on two values of the type panics.
	Comparable bool
	// Plain says that == is equality of all words and of the references as Go values:
	// no float, no interface, no pointer into something.
	Plain bool
}

// Field is a field of a struct, and its offset.
type Field struct {
	Name     string
	Tag      string // what the tag "guest" has
	Type     *Type
	N, R     int
	Embedded bool
	Exported bool
}

// Direct reports whether an interface holds the value itself, in its payload word and reference;
// a larger value is in an object of its own.
func (t *Type) Direct() bool { return t.N <= 1 && t.R <= 1 }

// Empty reports whether the type has size zero, so that all its values are equal.
func (t *Type) Empty() bool { return t.N == 0 && t.R == 0 }

// Word reports whether a value is one word and no reference.
func (t *Type) Word() bool { return t.N == 1 && t.R == 0 }

// Method is the function of a method number, nil if the type does not have it, or the number is -1.
func (t *Type) Method(number int32) *Func {
	if number < 0 || int(number) >= len(t.Funcs) {
		return nil
	}
	return t.Funcs[number]
}

// Implements reports whether the type has all methods of the interface; if not, missing is the
// number of one that it lacks.
func (t *Type) Implements(iface *Type) (missing int32, ok bool) {
	for _, m := range iface.Methods {
		if t.Method(m) == nil {
			return m, false
		}
	}
	return 0, true
}
