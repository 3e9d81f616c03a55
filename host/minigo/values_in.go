package minigo

import (
	"fmt"
	"math"
	"strings"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// entering converts values for the program.
type entering struct {
	*Host
	steps int // how many values it has converted
}

func refuse(format string, args ...any) *bind.ValueError {
	return &bind.ValueError{Reason: fmt.Sprintf(format, args...)}
}

// unwanted refuses a value of another kind.
func unwanted(t *code.Type) *bind.ValueError { return refuse("want a value for the type %s", t.Name) }

// value puts a value into registers, which are zero.
func (e *entering) value(t *code.Type, v bind.Value, n []uint64, r []any, depth int) *bind.ValueError {
	e.steps++
	switch k := t.Kind; {
	case depth > bind.MaxDepth:
		return refuse("the value is nested too deeply")
	case k == code.Bool && v.Kind() == bind.Bool:
		if v.Bool() {
			n[0] = 1
		}
	case k.Integer():
		return integer(t, v, n)
	case k.Float():
		return float(t, v, n)
	case k == code.String && v.Kind() == bind.Text:
		e.steps += len(v.Text()) / stepBytes
		r[0] = e.machine.Text(v.Text())
	case k == code.Slice:
		return e.slice(t, v, n, r, depth)
	case k == code.Array:
		return e.array(t, v, n, r, depth)
	case k == code.Map:
		return e.entries(t, v, r, depth)
	case isTime(t) && v.Kind() == bind.Int:
		n[0] = v.Uint()
	case k == code.Struct:
		return e.fields(t, v, n, r, depth)
	case t == e.machine.Host().Iterator:
		r[0] = refer(e.Host, v.Pull())
	case k == code.Pointer:
		return e.pointer(t, v, r, depth)
	case k == code.Interface:
		return e.any(t, v, n, r, depth)
	default:
		return unwanted(t)
	}
	return nil
}

// bitsOf is the size of an integer type.
func bitsOf(k code.Kind) int {
	switch k {
	case code.Int8, code.Uint8:
		return 8
	case code.Int16, code.Uint16:
		return 16
	case code.Int32, code.Uint32:
		return 32
	}
	return 64
}

func integer(t *code.Type, v bind.Value, n []uint64) *bind.ValueError {
	bits := bitsOf(t.Kind)
	switch x := v.Int(); {
	case v.Kind() == bind.Uint && t.Kind.Signed(), v.Kind() != bind.Int && v.Kind() != bind.Uint:
		return unwanted(t)
	case t.Kind.Signed() && x<<(64-bits)>>(64-bits) != x,
		!t.Kind.Signed() && (v.Kind() == bind.Int && x < 0 || bits < 64 && uint64(x)>>bits != 0):
		return refuse("%d does not fit into the type %s", x, t.Name)
	}
	n[0] = v.Uint()
	return nil
}

func float(t *code.Type, v bind.Value, n []uint64) *bind.ValueError {
	f := v.Float()
	switch v.Kind() {
	case bind.Int:
		f = float64(v.Int())
	case bind.Uint:
		f = float64(v.Uint())
	case bind.Float:
	default:
		return unwanted(t)
	}
	if t.Kind == code.Float32 {
		f = float64(float32(f))
	}
	n[0] = math.Float64bits(f)
	return nil
}

// object makes memory for the program.
func (e *entering) object(n, r int) *value.Object {
	e.machine.Alloc(value.Bytes(n, r))
	return value.NewObject(n, r)
}

func (e *entering) slice(t *code.Type, v bind.Value, n []uint64, r []any, depth int) *bind.ValueError {
	if v.Kind() == bind.Nil {
		return nil
	}
	if v.Kind() == bind.Text && t.Elem.Kind == code.Uint8 {
		text := v.Text()
		o := e.object(len(text), 0)
		e.steps += len(text) / stepBytes
		for i := range len(text) {
			o.N[i] = uint64(text[i])
		}
		n[1], n[2], r[0] = uint64(len(text)), uint64(len(text)), o
		return nil
	}
	if v.Kind() != bind.Sequence {
		return unwanted(t)
	}
	size := len(v.Items())
	o := e.object(size*t.Elem.N, size*t.Elem.R)
	n[1], n[2], r[0] = uint64(size), uint64(size), o
	return e.items(t.Elem, v.Items(), o.N, o.R, depth)
}

func (e *entering) array(t *code.Type, v bind.Value, n []uint64, r []any, depth int) *bind.ValueError {
	if text := v.Text(); v.Kind() == bind.Text && t.Elem.Kind == code.Uint8 && int64(len(text)) == t.Len {
		for i := range len(text) {
			n[i] = uint64(text[i])
		}
		return nil
	}
	if v.Kind() != bind.Sequence || int64(len(v.Items())) != t.Len {
		return refuse("want %d values for the type %s", t.Len, t.Name)
	}
	return e.items(t.Elem, v.Items(), n, r, depth)
}

func (e *entering) items(t *code.Type, items []bind.Value, n []uint64, r []any, depth int) *bind.ValueError {
	for i, item := range items {
		if err := e.value(t, item, n[i*t.N:(i+1)*t.N], r[i*t.R:(i+1)*t.R], depth+1); err != nil {
			err.Place = fmt.Sprintf("[%d]%s", i, err.Place)
			return err
		}
	}
	return nil
}

func (e *entering) entries(t *code.Type, v bind.Value, r []any, depth int) *bind.ValueError {
	if v.Kind() == bind.Nil {
		return nil
	}
	if v.Kind() != bind.Mapping {
		return unwanted(t)
	}
	m := value.NewMap(t)
	r[0] = m
	for key, x := range v.Entries().All() {
		kn, kr := make([]uint64, t.Key.N), make([]any, t.Key.R)
		if err := e.value(t.Key, key, kn, kr, depth+1); err != nil {
			err.Place = "[key]" + err.Place
			return err
		}
		at, err := m.Find(e.machine.Types(), &value.Walk{Pace: value.NewPace(func(int) {})}, kn, kr)
		if err != nil {
			return refuse("%v", err)
		}
		if at.At < 0 {
			e.machine.Alloc(m.EntryBytes())
			at.At = m.Insert(at, kn, kr)
		}
		n, r := m.Value(at.At)
		if err := e.value(t.Elem, x, n, r, depth+1); err != nil {
			err.Place = fmt.Sprintf("[%q]%s", key.Text(), err.Place)
			return err
		}
	}
	return nil
}

func (e *entering) fields(t *code.Type, v bind.Value, n []uint64, r []any, depth int) *bind.ValueError {
	if v.Kind() != bind.Mapping {
		return unwanted(t)
	}
	for key, x := range v.Entries().All() {
		f := e.fieldOf(t, key.Text())
		if f == nil {
			return refuse("the type %s has no exported field %q", t.Name, key.Text())
		}
		if err := e.value(f.Type, x, n[f.N:f.N+f.Type.N], r[f.R:f.R+f.Type.R], depth+1); err != nil {
			err.Place = "." + f.Name + err.Place
			return err
		}
	}
	return nil
}

// fieldOf is the exported field with a name of bind, or one that differs from it in its case only.
func (h *Host) fieldOf(t *code.Type, name string) (found *code.Field) {
	for i, n := range h.fieldNames(t) {
		switch f := &t.Fields[i]; {
		case n == name:
			return f
		case n != "" && found == nil && strings.EqualFold(f.Name, name):
			found = f
		}
	}
	return found
}

// fieldNames are the names for bind of the fields of a struct; "" for one that does not pass.
func (h *Host) fieldNames(t *code.Type) []string {
	if names, ok := h.names[t]; ok {
		return names
	}
	names := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		if f.Exported && f.Tag != "-" {
			names[i] = bind.FieldName(f.Name, f.Tag)
		}
	}
	h.names[t] = names
	return names
}

// isTime tells whether a type is time.Time, which is a number of nanoseconds.
func isTime(t *code.Type) bool { return t.Local == "Time" && t.Pkg == "time" }

func (e *entering) pointer(t *code.Type, v bind.Value, r []any, depth int) *bind.ValueError {
	if v.Kind() == bind.Nil {
		return nil
	}
	o := e.object(t.Elem.N, t.Elem.R)
	r[0] = o
	return e.value(t.Elem, v, o.N, o.R, depth+1)
}

// any puts a value into an interface: an error, or into one without methods what suits the value best.
func (e *entering) any(t *code.Type, v bind.Value, n []uint64, r []any, depth int) *bind.ValueError {
	if v.Kind() == bind.Nil {
		return nil
	}
	as := e.typeFor(v)
	if as == nil {
		return unwanted(t)
	}
	if _, ok := as.Implements(t); !ok {
		return unwanted(t)
	}
	var p value.Packed
	if v.Kind() == bind.Failure {
		p.R = lib.NewFailure(v.Err())
	} else {
		xn, xr := make([]uint64, as.N), make([]any, as.R)
		if err := e.value(as, v, xn, xr, depth+1); err != nil {
			return err
		}
		e.machine.Alloc(value.Bytes(as.N, as.R))
		p = value.Pack(as, xn, xr)
	}
	n[0], n[1], r[0] = uint64(as.ID), p.W, p.R
	return nil
}

// typeFor is the type that a value has in an interface; nil if there is none.
func (e *entering) typeFor(v bind.Value) *code.Type {
	switch v.Kind() {
	case bind.Failure:
		return e.machine.Host().Failure
	case bind.Bool:
		return e.types["bool"]
	case bind.Int:
		return e.types["int"]
	case bind.Uint:
		return e.types["uint64"]
	case bind.Float:
		return e.types["float64"]
	case bind.Text:
		return e.types["string"]
	case bind.Sequence:
		return e.types["[]interface {}"]
	case bind.Mapping:
		return e.types["map[string]interface {}"]
	}
	return nil
}
