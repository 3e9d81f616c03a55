package fibers

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/stackful"
)

// form is how a Go type passes to and from wasm.
type form uint8

const (
	asI32   form = iota // int8 to int32, uint8 to uint32, bool
	asI64               // int, int64, uint, uint64, uintptr, time.Duration as nanoseconds
	asF32               // float32
	asF64               // float64
	asBytes             // string, []byte, types with MarshalText: an address and a length
	asJSON              // everything else: an address and a length of JSON
)

// formOf is the form of a Go type.
func formOf(t reflect.Type) form {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return asI64
	case bind.IsText(t):
		return asBytes
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return asI32
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return asI64
	case reflect.Float32:
		return asF32
	case reflect.Float64:
		return asF64
	}
	return asJSON
}

// params are the types of wasm of a parameter.
func (f form) params() types {
	switch f {
	case asI32:
		return types{i32}
	case asI64:
		return types{i64}
	case asF32:
		return types{api.ValueTypeF32}
	case asF64:
		return types{api.ValueTypeF64}
	}
	return types{i32, i32}
}

// results are those of a result: address and length are one i64, because C and Go have one result only.
func (f form) results() types {
	if f >= asBytes {
		return types{i64}
	}
	return f.params()
}

// fromWord makes a Value of a number of wasm, which has no sign, for a Go type.
func fromWord(t reflect.Type, f form, word uint64) bind.Value {
	unsigned := t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uintptr
	switch {
	case t.Kind() == reflect.Bool:
		return bind.BoolValue(uint32(word) != 0)
	case f == asI32 && unsigned:
		return bind.IntValue(int64(uint32(word)))
	case f == asI64 && unsigned:
		return bind.UintValue(word)
	}
	return fromResult(f.results()[0], word)
}

// fromResult makes a Value of a number of wasm whose Go type is not known.
func fromResult(t api.ValueType, word uint64) bind.Value {
	switch t {
	case i32:
		return bind.IntValue(int64(int32(word)))
	case api.ValueTypeF32:
		return bind.FloatValue(float64(math.Float32frombits(uint32(word))))
	case api.ValueTypeF64:
		return bind.FloatValue(math.Float64frombits(word))
	}
	return bind.IntValue(int64(word))
}

// word makes a number of wasm; ok is false if v does not fit.
func word(v bind.Value, t api.ValueType) (w uint64, ok bool) {
	whole, isWhole := v.Whole()
	natural, isNatural := v.Natural()
	number, isNumber := v.Number()
	switch {
	case v.Kind() == bind.Bool && t == i32:
		return map[bool]uint64{true: 1}[v.Bool()], true
	case t == i32:
		return uint64(uint32(whole)), isWhole && math.MinInt32 <= whole && whole <= math.MaxUint32
	case t == i64 && isNatural:
		return natural, true
	case t == i64:
		return uint64(whole), isWhole
	case t == api.ValueTypeF32:
		return uint64(math.Float32bits(float32(number))), isNumber
	case t == api.ValueTypeF64:
		return math.Float64bits(number), isNumber
	}
	return 0, false
}

// bytesOf copies bytes of the program that called, and charges for them.
func bytesOf(c *wasm.Caller, address, length uint64, place string) ([]byte, error) {
	if c.HasMemory() {
		if b, ok := c.Module.Memory().Read(uint32(address), uint32(length)); ok {
			if err := c.Work(workOf(len(b))); err != nil {
				return nil, err
			}
			return append([]byte(nil), b...), nil
		}
	}
	return nil, fmt.Errorf("%s: %d bytes at %#x: %w", place, uint32(length), uint32(address), wasm.OutOfBounds)
}

// allocator is the function by which a program gives memory for strings and other values that the host
// passes to it.
const allocator = "malloc"

// give stores bytes in memory that the program allocates for them. No bytes have the address 0.
func give(i *wasm.Instance, f *stackful.Fiber, data []byte) (address uint32, err error) {
	if len(data) == 0 {
		return 0, nil
	}
	if i == nil {
		return 0, errors.New("a start function cannot be given strings: the instance does not exist yet")
	}
	def, ok := i.Module().ExportedFunctionDefinitions()[allocator]
	if !ok || !same(def.ParamTypes(), types{i32}) || !same(def.ResultTypes(), types{i32}) {
		return 0, fmt.Errorf("the module exports no function %s (size i32) address i32, which strings and other values need", allocator)
	}
	if len(data) > math.MaxInt32 {
		return 0, fmt.Errorf("%d bytes are too many for a memory of wasm", len(data))
	}
	got, err := i.Call(f, allocator, uint64(len(data)))
	if err != nil {
		return 0, err
	}
	if address = uint32(got[0]); address == 0 || !i.Module().Memory().Write(address, data) {
		return 0, fmt.Errorf("%s(%d) returned %#x: %w", allocator, len(data), address, wasm.OutOfBounds)
	}
	return address, nil
}

func same(a, b types) bool { return string(a) == string(b) }
