package bind

import (
	"iter"
	"math"
)

// Kind is the type of a Value.
type Kind uint8

// The kinds. A number of a guest is Float if the engine does not distinguish integers.
const (
	Nil Kind = iota
	Bool
	Int      // an int64
	Uint     // a uint64 that no int64 can represent
	Float    // a float64
	Text     // a string or bytes
	Sequence // a list: Items
	Mapping  // keys and values: Entries. It can be a list for an engine whose lists are tables
	Failure  // a Go error
	Iterator // a *Pull
	Own      // a value that only the guest's engine understands, such as a function
)

// Value is a value on its way between Go and a guest, in no engine's own representation. An engine makes
// its values from Values, and Values from its own. The zero Value is nil.
type Value struct {
	kind Kind
	bits uint64
	text string // of Text; of Own, what the guest calls the type
	ref  any
}

// Entry is a key and its value.
type Entry struct{ Key, Value Value }

// Entries are the contents of a Mapping.
type Entries interface {
	Len() int
	All() iter.Seq2[Value, Value]
}

// Pairs are Entries that do not refer to an engine.
type Pairs []Entry

// Len is the number of entries.
func (p Pairs) Len() int { return len(p) }

// All yields the entries in their order.
func (p Pairs) All() iter.Seq2[Value, Value] {
	return func(yield func(k, v Value) bool) {
		for _, e := range p {
			if !yield(e.Key, e.Value) {
				return
			}
		}
	}
}

// BoolValue makes a Bool.
func BoolValue(b bool) Value {
	if b {
		return Value{kind: Bool, bits: 1}
	}
	return Value{kind: Bool}
}

// IntValue makes an Int.
func IntValue(n int64) Value { return Value{kind: Int, bits: uint64(n)} }

// UintValue makes an Int, or a Uint if n needs it.
func UintValue(n uint64) Value {
	if n <= math.MaxInt64 {
		return IntValue(int64(n))
	}
	return Value{kind: Uint, bits: n}
}

// FloatValue makes a Float.
func FloatValue(f float64) Value { return Value{kind: Float, bits: math.Float64bits(f)} }

// TextValue makes a Text.
func TextValue(s string) Value { return Value{kind: Text, text: s} }

// BytesValue makes a Text of bytes, which are not base64 for a Codec with JSON.
func BytesValue(b []byte) Value { return Value{kind: Text, bits: 1, text: string(b)} }

// SequenceValue makes a Sequence; it does not copy the items.
func SequenceValue(items []Value) Value { return Value{kind: Sequence, ref: items} }

// MappingValue makes a Mapping. A Value that outlives the call has Pairs.
func MappingValue(e Entries) Value { return Value{kind: Mapping, ref: e} }

// FailureValue makes a Failure; nil for a nil error.
func FailureValue(err error) Value {
	if err == nil {
		return Value{}
	}
	return Value{kind: Failure, ref: err}
}

// OwnValue makes an Own. typeName is what the guest calls the type, for messages.
func OwnValue(v any, typeName string) Value { return Value{kind: Own, text: typeName, ref: v} }

// Kind is the type.
func (v Value) Kind() Kind { return v.kind }

// Bool is the value of a Bool.
func (v Value) Bool() bool { return v.bits != 0 }

// Int is the value of an Int.
func (v Value) Int() int64 { return int64(v.bits) }

// Uint is the value of a Uint.
func (v Value) Uint() uint64 { return v.bits }

// Float is the value of a Float.
func (v Value) Float() float64 { return math.Float64frombits(v.bits) }

// Text is the value of a Text.
func (v Value) Text() string { return v.text }

// Items are the parts of a Sequence.
func (v Value) Items() []Value { items, _ := v.ref.([]Value); return items }

// Entries are the parts of a Mapping.
func (v Value) Entries() Entries { e, _ := v.ref.(Entries); return e }

// Err is the error of a Failure.
func (v Value) Err() error { err, _ := v.ref.(error); return err }

// Pull is the iterator of an Iterator.
func (v Value) Pull() *Pull { p, _ := v.ref.(*Pull); return p }

// Own is the value of an Own.
func (v Value) Own() any { return v.ref }

// Number is an Int, a Uint or a Float as a float64, and whether v is one of them.
func (v Value) Number() (f float64, ok bool) {
	switch v.kind {
	case Int:
		return float64(v.Int()), true
	case Uint:
		return float64(v.bits), true
	case Float:
		return v.Float(), true
	}
	return 0, false
}

// Whole is a number that an int64 represents, and whether v is one.
func (v Value) Whole() (int64, bool) {
	if v.kind == Float {
		f := v.Float()
		return int64(f), f == math.Trunc(f) && -1<<63 <= f && f < 1<<63
	}
	return v.Int(), v.kind == Int
}

// Natural is a number that a uint64 represents, and whether v is one.
func (v Value) Natural() (uint64, bool) {
	if v.kind == Float {
		f := v.Float()
		return uint64(f), f == math.Trunc(f) && 0 <= f && f < 1<<64
	}
	return v.bits, v.kind == Uint || v.kind == Int && v.Int() >= 0
}
