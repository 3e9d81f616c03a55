package value

import (
	"fmt"
	"math"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// Types finds a type by its number.
type Types []*code.Type

// At is the type that a word of an interface names; nil for a nil interface.
func (ts Types) At(id uint64) *code.Type { return ts[id] }

// Interface reads an interface value from registers.
func (ts Types) Interface(n []uint64, r []any) Interface {
	return Interface{ts[n[0]], Packed{n[1], r[0]}}
}

// Uncomparable is the panic of comparing values, or using them as keys, that Go cannot compare.
type Uncomparable struct {
	T    *code.Type
	Hash bool
}

// Error is in the words of the Go runtime.
func (u *Uncomparable) Error() string {
	if u.Hash {
		return "hash of unhashable type " + u.T.Name
	}
	return "comparing uncomparable type " + u.T.Name
}

// Equal compares two values of a type. The error is *Uncomparable, ErrUnbounded or ErrLong.
func (ts Types) Equal(w *Walk, t *code.Type, xn []uint64, xr []any, yn []uint64, yr []any) (bool, error) {
	if t.Empty() {
		return true, nil
	}
	if err := w.enter(); err != nil {
		return false, err
	}
	defer w.leave()
	switch t.Kind {
	case code.Float32, code.Float64:
		return math.Float64frombits(xn[0]) == math.Float64frombits(yn[0]), nil
	case code.String:
		x, y := Str(xr[0]), Str(yr[0])
		if len(x) != len(y) {
			return false, nil
		}
		if err := w.text(len(x)); err != nil {
			return false, err
		}
		return EqualStrings(w.Pace, x, y), nil
	case code.Pointer:
		return SamePointer(xr[0], yr[0]), nil
	case code.Chan:
		return xr[0] == yr[0], nil
	case code.Interface:
		return ts.EqualInterfaces(w, ts.Interface(xn, xr), ts.Interface(yn, yr))
	case code.Struct:
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Name == "_" {
				continue
			}
			if eq, err := ts.Equal(w, f.Type, xn[f.N:], xr[f.R:], yn[f.N:], yr[f.R:]); !eq || err != nil {
				return false, err
			}
		}
		return true, nil
	case code.Array:
		for i := range int(t.Len) {
			n, r := i*t.Elem.N, i*t.Elem.R
			if eq, err := ts.Equal(w, t.Elem, xn[n:], xr[r:], yn[n:], yr[r:]); !eq || err != nil {
				return false, err
			}
		}
		return true, nil
	case code.Slice, code.Map, code.Function:
		return false, &Uncomparable{T: t}
	}
	return xn[0] == yn[0], nil
}

// EqualInterfaces compares two interface values.
func (ts Types) EqualInterfaces(w *Walk, x, y Interface) (bool, error) {
	switch {
	case x.T != y.T:
		return false, nil
	case x.T == nil:
		return true, nil
	case !x.T.Comparable:
		return false, &Uncomparable{T: x.T}
	}
	xn, xr := x.Parts(x.T)
	yn, yr := y.Parts(y.T)
	return ts.Equal(w, x.T, xn, xr, yn, yr)
}

// Missing is the failure of a type assertion.
type Missing struct {
	From, Want *code.Type
	Have       *code.Type // nil: the interface is nil
	Method     string     // the method it lacks
}

// Error is in the words of the Go runtime.
func (m *Missing) Error() string {
	switch {
	case m.Method != "" && m.Have != nil:
		return fmt.Sprintf("interface conversion: %s is not %s: missing method %s", m.Have.Name, m.Want.Name, m.Method)
	case m.Have == nil && m.Want.Kind == code.Interface:
		return fmt.Sprintf("interface conversion: interface is nil, not %s", m.Want.Name)
	case m.Have == nil:
		return fmt.Sprintf("interface conversion: %s is nil, not %s", m.From.Name, m.Want.Name)
	case m.Have.Name == m.Want.Name:
		return fmt.Sprintf("interface conversion: %s is %s, not %s (types from different scopes)", m.From.Name, m.Have.Name, m.Want.Name)
	}
	return fmt.Sprintf("interface conversion: %s is %s, not %s", m.From.Name, m.Have.Name, m.Want.Name)
}
