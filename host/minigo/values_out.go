package minigo

import (
	"fmt"
	"math"
	"strings"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/host/minigo/internal/vm"
)

// GuestError is an error of the program, with its text and the errors of Go that it wraps.
type GuestError struct {
	Text  string
	wraps []error
}

// Error is the text.
func (e *GuestError) Error() string { return e.Text }

// Unwrap are the errors of Go that it wraps.
func (e *GuestError) Unwrap() []error { return e.wraps }

// errorOf is an error that the program passes.
func errorOf(p vm.Passed) error {
	if p.Whole != nil {
		return p.Whole
	}
	return &GuestError{p.Text, p.Wraps}
}

// leaving converts values of the program.
type leaving struct {
	*Host
	room   int       // how many values may still be converted
	octets int       // of the texts
	passed vm.Passed // the result, if it is an error
}

// value makes a value of registers.
func (l *leaving) value(t *code.Type, n []uint64, r []any, depth int) (bind.Value, *bind.ValueError) {
	if l.room--; l.room < 0 || depth > bind.MaxDepth {
		return bind.Value{}, refuse("the value has too many parts, or is nested too deeply")
	}
	switch k := t.Kind; {
	case k == code.Bool:
		return bind.BoolValue(n[0] != 0), nil
	case k.Signed():
		return bind.IntValue(int64(n[0])), nil
	case k.Integer():
		return bind.UintValue(n[0]), nil
	case k.Float():
		return bind.FloatValue(math.Float64frombits(n[0])), nil
	case k == code.String:
		l.octets += len(value.Str(r[0]))
		return bind.TextValue(strings.Clone(value.Str(r[0]))), nil
	case k == code.Slice:
		return l.slice(t, n, r, depth)
	case k == code.Array:
		return l.items(t.Elem, int(t.Len), n, r, depth)
	case k == code.Map:
		return l.entries(t, r, depth)
	case isTime(t):
		return bind.IntValue(int64(n[0])), nil
	case k == code.Struct:
		return l.fields(t, n, r, depth)
	case k == code.Pointer && r[0] == nil:
		return bind.Value{}, nil
	case t == l.machine.Host().Passed:
		return bind.FailureValue(errorOf(l.machine.Passed(r[0]))), nil
	case k == code.Pointer:
		o, ok := r[0].(*value.Object)
		if !ok {
			return bind.Value{}, refuse("a value of the type %s does not pass", t.Name)
		}
		return l.value(t.Elem, o.N, o.R, depth+1)
	case k == code.Interface:
		return l.any(n, r, depth)
	}
	return bind.Value{}, refuse("a value of the type %s does not pass", t.Name)
}

func (l *leaving) any(n []uint64, r []any, depth int) (bind.Value, *bind.ValueError) {
	v := l.machine.Types().Interface(n, r)
	switch {
	case v.T == nil:
		return bind.Value{}, nil
	case v.T == l.machine.Host().Failure:
		if err := lib.FailureOf(v.R); err != nil {
			return bind.FailureValue(err), nil
		}
		return bind.Value{}, nil
	case v.T.Method(l.machine.ErrorMethod()) != nil && depth == 0:
		return bind.FailureValue(errorOf(l.passed)), nil
	case v.T.Method(l.machine.ErrorMethod()) != nil:
		return bind.Value{}, refuse("an error of the program passes only as a parameter or a result, not in another value")
	}
	xn, xr := v.Parts(v.T)
	return l.value(v.T, xn, xr, depth+1)
}

func (l *leaving) slice(t *code.Type, n []uint64, r []any, depth int) (bind.Value, *bind.ValueError) {
	o, ok := r[0].(*value.Object)
	if !ok {
		o = &value.Object{} // bind has no nil slices
	}
	from, size := int(n[0]), int(n[1])
	if t.Elem.Kind != code.Uint8 || t.Elem.Pkg != "" {
		return l.items(t.Elem, size, o.N[from*t.Elem.N:], o.R[from*t.Elem.R:], depth)
	}
	l.octets += size
	text := make([]byte, size)
	for i := range text {
		text[i] = byte(o.N[from+i])
	}
	return bind.TextValue(string(text)), nil
}

func (l *leaving) items(t *code.Type, size int, n []uint64, r []any, depth int) (bind.Value, *bind.ValueError) {
	if size > l.room {
		return bind.Value{}, refuse("the value has too many parts")
	}
	items := make([]bind.Value, size)
	for i := range items {
		var err *bind.ValueError
		if items[i], err = l.value(t, n[i*t.N:], r[i*t.R:], depth+1); err != nil {
			err.Place = fmt.Sprintf("[%d]%s", i, err.Place)
			return bind.Value{}, err
		}
	}
	return bind.SequenceValue(items), nil
}

func (l *leaving) entries(t *code.Type, r []any, depth int) (bind.Value, *bind.ValueError) {
	m, _ := r[0].(*value.Map)
	var pairs bind.Pairs
	it := value.NewIterator(m)
	for at := it.Next(); at != value.End; at = it.Next() {
		if at == value.More {
			continue
		}
		kn, kr := m.Key(at)
		vn, vr := m.Value(at)
		k, err := l.value(t.Key, kn, kr, depth+1)
		if err == nil {
			var v bind.Value
			v, err = l.value(t.Elem, vn, vr, depth+1)
			pairs = append(pairs, bind.Entry{Key: k, Value: v})
		}
		if err != nil {
			err.Place = fmt.Sprintf("[%q]%s", k.Text(), err.Place)
			return bind.Value{}, err
		}
	}
	return bind.MappingValue(pairs), nil
}

func (l *leaving) fields(t *code.Type, n []uint64, r []any, depth int) (bind.Value, *bind.ValueError) {
	var pairs bind.Pairs
	names := l.fieldNames(t)
	for i := range t.Fields {
		f := &t.Fields[i]
		if names[i] == "" {
			continue
		}
		v, err := l.value(f.Type, n[f.N:], r[f.R:], depth+1)
		if err != nil {
			err.Place = "." + f.Name + err.Place
			return bind.Value{}, err
		}
		pairs = append(pairs, bind.Entry{Key: bind.TextValue(names[i]), Value: v})
	}
	return bind.MappingValue(pairs), nil
}
