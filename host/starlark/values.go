package starlark

import (
	"fmt"
	"math/big"

	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/host/bind"
)

// ownValue makes a Value of a Starlark value that Go code has.
func ownValue(v any) (bind.Value, bool) {
	if s, ok := v.(gostar.Value); ok {
		if s == gostar.None {
			return bind.Value{}, true
		}
		return bind.OwnValue(s, s.Type()), true
	}
	return bind.Value{}, false
}

// isFunction tells whether Go functions can call a value.
func isFunction(v any) bool {
	_, ok := v.(gostar.Callable)
	return ok
}

// What fromStar converts at most. The Codec refuses values beyond the same limits, with a message.
const maxNesting = 110

// fromStar makes a Value of a Starlark value.
func fromStar(v gostar.Value) bind.Value {
	room := bind.MaxValues + 1
	return converter{&room}.from(v, 0)
}

type converter struct{ room *int }

func (c converter) from(v gostar.Value, depth int) bind.Value {
	if *c.room--; *c.room < 0 || depth > maxNesting {
		return bind.OwnValue(v, v.Type())
	}
	switch v := v.(type) {
	case gostar.NoneType:
		return bind.Value{}
	case gostar.Bool:
		return bind.BoolValue(bool(v))
	case gostar.Int:
		return fromInt(v)
	case gostar.Float:
		return bind.FloatValue(float64(v))
	case gostar.String:
		return bind.TextValue(string(v))
	case gostar.Bytes:
		return bind.BytesValue([]byte(v))
	case gostar.IterableMapping:
		return c.mapping(v, depth)
	case *failure:
		return bind.FailureValue(v.err)
	case *gostar.List, gostar.Tuple, *gostar.Set:
		return c.sequence(v.(gostar.Iterable), depth)
	case gostar.HasAttrs:
		if isStruct(v) {
			return c.fields(v, depth)
		}
	}
	return bind.OwnValue(v, v.Type())
}

// isStruct tells whether a value is no more than its fields.
func isStruct(v gostar.Value) bool { return v.Type() == "struct" }

func fromInt(v gostar.Int) bind.Value {
	if n, ok := v.Int64(); ok {
		return bind.IntValue(n)
	}
	if n, ok := v.Uint64(); ok {
		return bind.UintValue(n)
	}
	return bind.OwnValue(v, "int of more than 64 bits")
}

func (c converter) sequence(v gostar.Iterable, depth int) bind.Value {
	items := []bind.Value{}
	for item := range gostar.Elements(v) {
		if *c.room < 0 {
			break
		}
		items = append(items, c.from(item, depth+1))
	}
	return bind.SequenceValue(items)
}

func (c converter) mapping(v gostar.IterableMapping, depth int) bind.Value {
	pairs := bind.Pairs{}
	for key := range gostar.Elements(v) {
		if *c.room < 0 {
			break
		}
		value, _, _ := v.Get(key) // it is there
		pairs = append(pairs, bind.Entry{Key: c.from(key, depth+1), Value: c.from(value, depth+1)})
	}
	return bind.MappingValue(pairs)
}

func (c converter) fields(v gostar.HasAttrs, depth int) bind.Value {
	pairs := bind.Pairs{}
	for _, name := range v.AttrNames() {
		field, err := v.Attr(name)
		if err != nil || field == nil || *c.room < 0 {
			break
		}
		pairs = append(pairs, bind.Entry{Key: bind.TextValue(name), Value: c.from(field, depth+1)})
	}
	return bind.MappingValue(pairs)
}

// toStar makes a Starlark value of a Value.
func toStar(v bind.Value) gostar.Value {
	switch v.Kind() {
	case bind.Bool:
		return gostar.Bool(v.Bool())
	case bind.Int:
		return gostar.MakeInt64(v.Int())
	case bind.Uint:
		return gostar.MakeBigInt(new(big.Int).SetUint64(v.Uint()))
	case bind.Float:
		return gostar.Float(v.Float())
	case bind.Text:
		return gostar.String(v.Text())
	case bind.Sequence:
		items := make([]gostar.Value, len(v.Items()))
		for i, item := range v.Items() {
			items[i] = toStar(item)
		}
		return gostar.NewList(items)
	case bind.Mapping:
		dict := gostar.NewDict(v.Entries().Len())
		for key, value := range v.Entries().All() {
			_ = dict.SetKey(toStar(key), toStar(value)) // keys are texts, numbers and booleans
		}
		return dict
	case bind.Failure:
		return &failure{v.Err()}
	case bind.Own:
		return v.Own().(gostar.Value)
	}
	return gostar.None
}

// failure is an error of Go as a value.
type failure struct{ err error }

func (f *failure) String() string        { return f.err.Error() }
func (f *failure) Type() string          { return "error" }
func (f *failure) Freeze()               {}
func (f *failure) Truth() gostar.Bool    { return true }
func (f *failure) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: error") }
