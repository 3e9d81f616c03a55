package bind

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// encoder makes Values of Go values. room is how many more it may make.
type encoder struct {
	*Codec
	room int
}

func (e *encoder) value(v reflect.Value, depth int) (Value, *ValueError) {
	if err := take(&e.room, depth); err != nil || !v.IsValid() {
		return Value{}, err
	}
	if v.Kind() == reflect.Interface {
		if v = v.Elem(); !v.IsValid() {
			return Value{}, nil
		}
	}
	if t := v.Type(); t.PkgPath() != "" || t.Kind() == reflect.Pointer || t.Kind() == reflect.Chan {
		if special, ok, err := e.special(v, t); ok || err != nil {
			return special, err
		}
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		return e.list(v, depth)
	case reflect.Map:
		return e.entries(v, depth)
	case reflect.Struct:
		return e.object(v, depth)
	case reflect.Pointer:
		if v.IsNil() {
			return Value{}, nil
		}
		e.room++ // a pointer is no value of its own
		return e.value(v.Elem(), depth-1)
	}
	return e.scalar(v, depth)
}

// special makes a Value of a type that is not treated as what it is made of; ok is false for others.
func (e *encoder) special(v reflect.Value, t reflect.Type) (made Value, ok bool, err *ValueError) {
	if made, ok, err = e.own(v); ok || err != nil {
		return made, ok, err
	}
	switch t {
	case reflect.TypeFor[time.Duration]():
		if d := time.Duration(v.Int()); !e.JSON && !e.Nanoseconds {
			return FloatValue(d.Seconds()), true, nil
		}
		return IntValue(v.Int()), true, nil
	case reflect.TypeFor[time.Time]():
		made, err = e.time(v.Interface().(time.Time))
		return made, true, err
	}
	switch {
	case t.NumMethod() > 0 && t.Implements(reflect.TypeFor[error]()) && v.CanInterface():
		if v.Kind() == reflect.Pointer && v.IsNil() {
			return Value{}, true, nil
		}
		return FailureValue(v.Interface().(error)), true, nil
	case isText(t):
		made, err = marshalText(v)
		return made, true, err
	}
	return Value{}, false, nil
}

func (e *encoder) own(v reflect.Value) (made Value, ok bool, err *ValueError) {
	if e.Own == nil || v.Kind() != reflect.Pointer && v.Kind() != reflect.Chan || !v.CanInterface() {
		return made, false, nil
	}
	if made, ok = e.Own(v.Interface()); ok && v.IsNil() {
		return made, false, refused("a nil %v is no value of the guest; pass nil", v.Type())
	}
	return made, ok, nil
}

func (e *encoder) time(t time.Time) (Value, *ValueError) {
	if e.Nanoseconds {
		return nanoseconds(t)
	}
	if !e.JSON {
		return FloatValue(float64(t.Unix()) + float64(t.Nanosecond())/1e9), nil
	}
	text, err := t.MarshalText()
	if err != nil {
		return Value{}, refused("%v", err)
	}
	return TextValue(string(text)), nil
}

// nanoseconds is an instant as an int64.
func nanoseconds(t time.Time) (Value, *ValueError) {
	if t.IsZero() {
		return IntValue(0), nil
	}
	if ns := t.UnixNano(); time.Unix(0, ns).Equal(t) {
		return IntValue(ns), nil
	}
	return Value{}, refused("%v is not between the years 1678 and 2262, which a number of nanoseconds can represent", t)
}

func marshalText(v reflect.Value) (Value, *ValueError) {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	text, err := p.Interface().(textType).MarshalText()
	if err != nil {
		return Value{}, refused("%v", err)
	}
	return TextValue(string(text)), nil
}

// scalar makes a Value of a Go value that has no parts.
func (e *encoder) scalar(v reflect.Value, depth int) (Value, *ValueError) {
	switch {
	case v.Kind() == reflect.Bool:
		return BoolValue(v.Bool()), nil
	case v.Kind() == reflect.String:
		return e.text(v.String(), depth)
	case v.CanFloat():
		return FloatValue(v.Float()), nil
	case v.CanInt():
		return IntValue(v.Int()), e.exact(v, uint64(max(v.Int(), -v.Int())))
	case v.CanUint():
		return UintValue(v.Uint()), e.exact(v, v.Uint())
	}
	return Value{}, refused("a %v has no value in the guest; pass %s", v.Type(), passable)
}

// passable are the types that pass.
const passable = "nil, booleans, numbers, strings, []byte, time.Time, time.Duration, errors, types with MarshalText and UnmarshalText, and slices, arrays, maps, structs of them and pointers to them"

func (e *encoder) text(s string, depth int) (Value, *ValueError) {
	if e.JSON && depth < MaxDepth && !utf8.ValidString(s) {
		return Value{}, refused("the string is not UTF-8, which JSON needs; pass []byte")
	}
	return TextValue(s), nil
}

// exact refuses an integer, with its absolute value, that a number of the guest cannot represent.
func (e *encoder) exact(v reflect.Value, absolute uint64) *ValueError {
	const significant = 53
	if e.Float64 && bits.Len64(absolute)-bits.TrailingZeros64(absolute) > significant {
		return refused("a number of the guest cannot represent %v exactly; pass it as a string", v)
	}
	return nil
}

func (e *encoder) list(v reflect.Value, depth int) (Value, *ValueError) {
	if v.Type().Elem() == reflect.TypeFor[byte]() {
		return e.bytes(v, depth == MaxDepth), nil
	}
	items := make([]Value, v.Len())
	for i := range items {
		var err *ValueError
		if items[i], err = e.value(v.Index(i), depth-1); err != nil {
			return Value{}, err.in("[" + strconv.Itoa(i) + "]")
		}
	}
	return SequenceValue(items), nil
}

// bytes copies bytes. In JSON those inside of other values are base64.
func (e *encoder) bytes(v reflect.Value, outermost bool) Value {
	octets := make([]byte, v.Len())
	reflect.Copy(reflect.ValueOf(octets), v)
	if e.JSON && !outermost {
		return TextValue(base64.StdEncoding.EncodeToString(octets))
	}
	return BytesValue(octets)
}

// entries copies a map, sorted, so that a program which iterates over it does the same in every run.
func (e *encoder) entries(v reflect.Value, depth int) (Value, *ValueError) {
	pairs := make(Pairs, 0, v.Len())
	for each := v.MapRange(); each.Next(); {
		place := fmt.Sprintf("[%#v]", each.Key())
		key, err := e.key(each.Key())
		if err != nil {
			return Value{}, err.in(place)
		}
		value, err := e.value(each.Value(), depth-1)
		if err != nil {
			return Value{}, err.in(place)
		}
		pairs = append(pairs, Entry{key, value})
	}
	slices.SortFunc(pairs, func(a, b Entry) int { return compareKeys(a.Key, b.Key) })
	for i := 1; i < len(pairs); i++ {
		if compareKeys(pairs[i-1].Key, pairs[i].Key) == 0 {
			return Value{}, refused("two keys of the map are %s in the guest", got(pairs[i].Key))
		}
	}
	return MappingValue(pairs), nil
}

// key makes a Value of the key of a map: a string, a number or a boolean.
func (e *encoder) key(k reflect.Value) (Value, *ValueError) {
	if k.Kind() == reflect.Interface {
		k = k.Elem()
	}
	if !k.IsValid() {
		return Value{}, refused("nil cannot be a key in the guest")
	}
	var key Value
	var err *ValueError
	if isText(k.Type()) {
		key, err = marshalText(k)
	} else {
		key, err = e.scalar(k, 0)
	}
	if key.kind == Float && key.Float() != key.Float() {
		return Value{}, refused("NaN cannot be a key in the guest")
	}
	if e.JSON && key.kind != Text && err == nil {
		key = TextValue(fmt.Sprint(k))
	}
	return key, err
}

// compareKeys orders booleans before numbers before strings.
func compareKeys(a, b Value) int {
	x, xIsNumber := a.Number()
	y, yIsNumber := b.Number()
	switch {
	case xIsNumber && yIsNumber && a.kind == b.kind && a.kind != Float:
		return cmp.Compare(a.Int(), b.Int()) // two Uints are in the order of their halves: both are negative as Ints
	case xIsNumber && yIsNumber:
		return cmp.Compare(x, y)
	case a.kind != b.kind:
		return cmp.Compare(a.kind, b.kind)
	case a.kind == Bool:
		return cmp.Compare(a.bits, b.bits)
	}
	return strings.Compare(a.text, b.text)
}

func (e *encoder) object(v reflect.Value, depth int) (Value, *ValueError) {
	fields := e.fields(v.Type())
	if same := sameName(fields); same != "" {
		return Value{}, refused("%s", same)
	}
	pairs := make(Pairs, 0, len(fields))
	for _, f := range fields {
		part, err := v.FieldByIndexErr(f.index)
		if err != nil || f.omitEmpty && isEmpty(part) { // an error: the field is in an embedded nil pointer
			continue
		}
		value, refusal := e.value(part, depth-1)
		if refusal != nil {
			return Value{}, refusal.in("." + f.name)
		}
		pairs = append(pairs, Entry{TextValue(f.name), value})
	}
	return MappingValue(pairs), nil
}

// isEmpty is what omitempty leaves out, as in encoding/json, and zero structs.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}
