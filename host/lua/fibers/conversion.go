package fibers

import (
	"cmp"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// ValueError is a value that cannot pass between Go and Lua.
type ValueError struct {
	Place  string // where it is: "function", "argument 2", `result 1["list"][3]`
	Reason string // what it is, and what can be passed instead
}

// Error is place and reason.
func (e *ValueError) Error() string { return "fibers: " + e.Place + ": " + e.Reason }

// in adds the place of the surrounding value.
func (e *ValueError) in(place string) *ValueError {
	e.Place = place + e.Place
	return e
}

func notPassed(format string, args ...any) *ValueError {
	return &ValueError{Reason: fmt.Sprintf(format, args...)}
}

// toLua copies the arguments of a call. It makes no tables, so that any goroutine may call it; decode
// does.
func toLua(args []any) (t transferable, err error) {
	t.values = make([]any, len(args))
	c := conversion{maxValues}
	for i, v := range args {
		var refused *ValueError
		if t.values[i], refused = c.value(reflect.ValueOf(v), maxDepth); refused != nil {
			return transferable{}, refused.in("argument " + strconv.Itoa(i+1))
		}
	}
	return t, nil
}

// conversion counts how many more values may be copied.
type conversion struct{ room int }

// take counts a value that is nested at most depth deeper.
func (c *conversion) take(depth int) *ValueError {
	if c.room--; c.room < 0 {
		return notPassed("more than %d values at once; a value that is in several places counts for each", maxValues)
	}
	if depth < 0 {
		return notPassed("values nested more than %d deep, perhaps in themselves", maxDepth)
	}
	return nil
}

// value copies a Go value, as encodeOne does a Lua value. A Lua value stays as it is.
func (c *conversion) value(v reflect.Value, depth int) (any, *ValueError) {
	if err := c.take(depth); err != nil || !v.IsValid() {
		return nil, err
	}
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return nil, nil
	}
	if own, ok := v.Interface().(glua.LValue); ok {
		if v.Kind() == reflect.Pointer && v.IsNil() {
			return nil, notPassed("a nil %v is no Lua value; pass nil", v.Type())
		}
		return own, nil
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		return c.list(v, depth)
	case reflect.Map:
		return c.pairs(v, depth)
	}
	return scalar(v)
}

// scalar is the Lua value of a Go value that has no parts.
func scalar(v reflect.Value) (any, *ValueError) {
	switch {
	case v.Kind() == reflect.Bool:
		return glua.LBool(v.Bool()), nil
	case v.Kind() == reflect.String:
		return glua.LString(v.String()), nil
	case v.CanFloat():
		return glua.LNumber(v.Float()), nil
	case v.CanInt():
		return glua.LNumber(v.Int()), exact(v, uint64(max(v.Int(), -v.Int())))
	case v.CanUint():
		return glua.LNumber(v.Uint()), exact(v, v.Uint())
	}
	return nil, notPassed("a %v has no Lua value; pass nil, booleans, numbers, strings, []byte, slices and maps of them, and Lua values", v.Type())
}

// exact refuses an integer, with its absolute value, that a Lua number cannot represent.
func exact(v reflect.Value, absolute uint64) *ValueError {
	const significant = 53
	if bits.Len64(absolute)-bits.TrailingZeros64(absolute) > significant {
		return notPassed("a Lua number cannot represent %v exactly; pass it as a string", v)
	}
	return nil
}

func (c *conversion) list(v reflect.Value, depth int) (any, *ValueError) {
	if v.Type().Elem() == reflect.TypeFor[byte]() {
		text := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(text), v)
		return glua.LString(text), nil
	}
	t := new(tableCopy)
	for i := range v.Len() {
		item, err := c.value(v.Index(i), depth-1)
		if err != nil {
			return nil, err.in("[" + strconv.Itoa(i) + "]")
		}
		t.pairs = append(t.pairs, glua.LNumber(i+1), item)
	}
	return t, nil
}

// pairs copies a map, sorted, so that a program which iterates over the table does the same in every
// run.
func (c *conversion) pairs(v reflect.Value, depth int) (any, *ValueError) {
	type entry struct{ key, value any }
	entries := make([]entry, 0, v.Len())
	for each := v.MapRange(); each.Next(); {
		place := fmt.Sprintf("[%#v]", each.Key())
		key, err := mapKey(each.Key())
		if err != nil {
			return nil, err.in(place)
		}
		value, err := c.value(each.Value(), depth-1)
		if err != nil {
			return nil, err.in(place)
		}
		entries = append(entries, entry{key, value})
	}
	slices.SortFunc(entries, func(a, b entry) int { return compareKeys(a.key, b.key) })
	t := new(tableCopy)
	for i, e := range entries {
		if i > 0 && e.key == entries[i-1].key {
			return nil, notPassed("two keys of the map are the Lua value %v", e.key)
		}
		t.pairs = append(t.pairs, e.key, e.value)
	}
	return t, nil
}

// mapKey is the Lua value of the key of a map: a string, a number or a boolean.
func mapKey(k reflect.Value) (any, *ValueError) {
	if k.Kind() == reflect.Interface {
		k = k.Elem()
	}
	if !k.IsValid() {
		return nil, notPassed("nil cannot be a key of a table")
	}
	key, err := scalar(k)
	if n, ok := key.(glua.LNumber); ok && n != n {
		return nil, notPassed("NaN cannot be a key of a table")
	}
	return key, err
}

// compareKeys orders booleans before numbers before strings.
func compareKeys(a, b any) int {
	x, y := a.(glua.LValue), b.(glua.LValue)
	if byType := cmp.Compare(x.Type(), y.Type()); byType != 0 {
		return byType
	}
	if n, ok := x.(glua.LNumber); ok {
		return cmp.Compare(n, y.(glua.LNumber))
	}
	return strings.Compare(x.String(), y.String())
}
