package bind

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"
)

// unwanted refuses a value for a variable.
func (d *decoder) unwanted(to reflect.Value, v Value) *ValueError {
	return refused("want %s, got %s", d.want(to.Type()), got(v))
}

// want describes what a variable of a type takes, in words of the guest.
func (d *decoder) want(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[error]():
		return "an error or a string"
	case t == reflect.TypeFor[time.Duration]() && (d.JSON || d.Nanoseconds):
		return "a whole number of nanoseconds"
	case t == reflect.TypeFor[time.Duration]():
		return "a number of seconds below 292 years"
	case t == reflect.TypeFor[time.Time]() && d.Nanoseconds:
		return "a whole number of nanoseconds since 1970"
	case t == reflect.TypeFor[time.Time]() && !d.JSON:
		return "a number of seconds since 1970"
	case isText(t):
		return fmt.Sprintf("a string that is a %v", t)
	}
	switch t.Kind() {
	case reflect.Bool:
		return "a boolean"
	case reflect.String:
		return "a string"
	case reflect.Float64:
		return "a number"
	case reflect.Float32:
		return "a number that is at most 3.4e38"
	case reflect.Slice, reflect.Array:
		if t.Elem() == reflect.TypeFor[byte]() {
			return "a string"
		}
		return "a list"
	case reflect.Map:
		return "a table"
	case reflect.Struct:
		return "a table with the fields " + names(d.fields(t))
	case reflect.Pointer:
		return d.want(t.Elem())
	case reflect.Func:
		return "a function"
	}
	return "a whole number from " + limits(t)
}

// limits are the least and the most value of an integer type.
func limits(t reflect.Type) string {
	signed, size := reflect.New(t).Elem().CanInt(), t.Bits()
	switch {
	case signed && size == 64:
		return "-2^63 to 2^63-1"
	case size == 64:
		return "0 to 2^64-1"
	case signed:
		return fmt.Sprintf("%d to %d", int64(math.MinInt64)>>(64-size), int64(math.MaxInt64)>>(64-size))
	}
	return fmt.Sprintf("0 to %d", uint64(math.MaxUint64)>>(64-size))
}

// String describes the value for messages, in words of the guest.
func (v Value) String() string { return got(v) }

// got describes a value.
func got(v Value) string {
	switch v.kind {
	case Nil:
		return "nil"
	case Bool:
		return "the boolean " + strconv.FormatBool(v.Bool())
	case Int:
		return "the number " + strconv.FormatInt(v.Int(), 10)
	case Uint:
		return "the number " + strconv.FormatUint(v.bits, 10)
	case Float:
		return "the number " + formatFloat(v.Float())
	case Text:
		const most = 40
		if len(v.text) > most {
			return fmt.Sprintf("a string of %d bytes", len(v.text))
		}
		return "the string " + strconv.Quote(v.text)
	case Sequence:
		return "a list"
	case Mapping:
		return "a table"
	case Failure:
		return "an error"
	case Iterator:
		return "an iterator"
	}
	return "a " + v.text
}

func formatFloat(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// place is a key as the place of its value.
func place(key Value) string {
	switch key.kind {
	case Text:
		return fmt.Sprintf("[%.40q]", key.text)
	case Float:
		return "[" + formatFloat(key.Float()) + "]"
	case Int:
		return "[" + strconv.FormatInt(key.Int(), 10) + "]"
	case Bool:
		return fmt.Sprintf("[%v]", key.Bool())
	}
	return "[" + got(key) + "]"
}
