package fibers

import (
	"iter"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/bind"
)

// ownValue makes a Value of a Lua value that Go code has got from a Host.
func ownValue(v any) (bind.Value, bool) {
	switch v := v.(type) {
	case *glua.LNilType:
		return bind.Value{}, true
	case glua.LValue:
		return bind.OwnValue(v, "Lua value"), true
	}
	return bind.Value{}, false
}

// isFunction tells whether Go functions can call a value.
func isFunction(v any) bool {
	_, ok := v.(*glua.LFunction)
	return ok
}

// valueOf makes a Value of a Lua value. A table stays as it is, and may be read until Lua code runs.
func valueOf(v glua.LValue) bind.Value {
	switch v := v.(type) {
	case *glua.LNilType:
		return bind.Value{}
	case glua.LBool:
		return bind.BoolValue(bool(v))
	case glua.LNumber:
		return bind.FloatValue(float64(v))
	case glua.LString:
		return bind.TextValue(string(v))
	case *glua.LTable:
		return bind.MappingValue(entries{v})
	}
	if err := goError(v); err != nil {
		return bind.FailureValue(err)
	}
	return bind.OwnValue(v, typeName(v))
}

func valuesOf(list []glua.LValue) []bind.Value {
	values := make([]bind.Value, len(list))
	for i, v := range list {
		values[i] = valueOf(v)
	}
	return values
}

// entries are those of a table, in the order in which they were added.
type entries struct{ table *glua.LTable }

func (e entries) Len() (n int) {
	for range pairs(e.table) {
		n++
	}
	return n
}

func (e entries) All() iter.Seq2[bind.Value, bind.Value] {
	return func(yield func(k, v bind.Value) bool) {
		for k, v := range pairs(e.table) {
			if !yield(valueOf(k), valueOf(v)) {
				return
			}
		}
	}
}

// lua makes a Lua value of a Value. An iterator belongs to the fiber that calls.
func (e *env) lua(v bind.Value) glua.LValue {
	switch v.Kind() {
	case bind.Bool:
		return glua.LBool(v.Bool())
	case bind.Int:
		return glua.LNumber(v.Int())
	case bind.Uint:
		return glua.LNumber(v.Uint())
	case bind.Float:
		return glua.LNumber(v.Float())
	case bind.Text:
		return glua.LString(v.Text())
	case bind.Sequence:
		t := e.state.Base().CreateTable(len(v.Items()), 0)
		for i, item := range v.Items() {
			e.state.Set(t, glua.LNumber(i+1), e.lua(item))
		}
		return t
	case bind.Mapping:
		t := e.state.Base().CreateTable(0, v.Entries().Len())
		for key, value := range v.Entries().All() {
			e.state.Set(t, e.lua(key), e.lua(value))
		}
		return t
	case bind.Failure:
		return e.luaError(v.Err())
	case bind.Own:
		return v.Own().(glua.LValue)
	}
	return glua.LNil
}

func (e *env) luaAll(values []bind.Value) []glua.LValue {
	list := make([]glua.LValue, len(values))
	for i, v := range values {
		list[i] = e.lua(v)
	}
	return list
}

// What a program pays for Values that Go code gives it, in bytes.
const (
	tableBytes = 256
	entryBytes = 256 // with the key
	itemBytes  = 48
)

// pay pays for the Lua values of results. Other fibers may run.
func (e *env) pay(results []bind.Value) {
	for _, v := range results {
		steps, bytes := costOf(v)
		if e.state.Charge(steps); bytes > 0 {
			e.state.Alloc(bytes)
		}
	}
}

func costOf(v bind.Value) (steps, bytes int64) {
	switch steps = 1; v.Kind() {
	case bind.Text:
		bytes = int64(len(v.Text()))
	case bind.Sequence:
		bytes = tableBytes + itemBytes*int64(len(v.Items()))
		for _, item := range v.Items() {
			s, b := costOf(item)
			steps, bytes = steps+s, bytes+b
		}
	case bind.Mapping:
		bytes = tableBytes + entryBytes*int64(v.Entries().Len())
		for key, value := range v.Entries().All() {
			s, b := costOf(value)
			steps, bytes = steps+s+1, bytes+b+int64(len(key.Text()))
		}
	}
	return steps, bytes
}
