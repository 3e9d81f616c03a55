package bind

import (
	"encoding/base64"
	"math"
	"reflect"
	"strconv"
	"time"
)

// decoder makes Go values of Values. room is how many more it may make.
type decoder struct {
	*Codec
	room int
	call *Invocation // whose arguments they are; nil for results
}

// into stores v in a variable, which has its zero value or is overwritten.
func (d *decoder) into(to reflect.Value, v Value, depth int) *ValueError {
	if err := take(&d.room, depth); err != nil {
		return err
	}
	t := to.Type()
	if t.PkgPath() != "" || t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		if ok, err := d.special(to, t, v, depth); ok || err != nil {
			return err
		}
	}
	switch t.Kind() {
	case reflect.Bool:
		if v.kind != Bool {
			return d.unwanted(to, v)
		}
		to.SetBool(v.Bool())
		return nil
	case reflect.String:
		if v.kind != Text {
			return d.unwanted(to, v)
		}
		to.SetString(v.text)
		return nil
	case reflect.Slice, reflect.Array:
		return d.list(to, v, depth)
	case reflect.Map:
		return d.entries(to, v, depth)
	case reflect.Struct:
		return d.object(to, v, depth)
	case reflect.Func:
		return d.function(to, v)
	}
	return d.number(to, v)
}

// special stores a value in a variable whose type is not treated as what it is made of; ok is false for
// others.
func (d *decoder) special(to reflect.Value, t reflect.Type, v Value, depth int) (ok bool, err *ValueError) {
	switch {
	case t.Kind() == reflect.Pointer:
		if v.kind == Nil {
			to.SetZero()
			return true, nil
		}
		made := reflect.New(t.Elem())
		d.room++ // a pointer is no value of its own
		if err := d.into(made.Elem(), v, depth-1); err != nil {
			return true, err
		}
		to.Set(made)
		return true, nil
	case t == reflect.TypeFor[error]():
		return true, d.failure(to, v)
	case t.Kind() == reflect.Interface:
		d.room++
		plain, err := d.plain(v, depth)
		if err != nil {
			return true, err
		}
		to.SetZero()
		if plain != nil {
			to.Set(reflect.ValueOf(plain))
		}
		return true, nil
	case t == reflect.TypeFor[time.Duration](), t == reflect.TypeFor[time.Time]():
		return true, d.time(to, v)
	case isText(t):
		return true, d.unmarshalText(to, v)
	}
	return false, nil
}

// failure stores an error: the Go error that the guest was given, or a text as a new one.
func (d *decoder) failure(to reflect.Value, v Value) *ValueError {
	var err error
	switch v.kind {
	case Nil:
	case Failure:
		err = v.Err()
	case Text:
		err = GuestText(v.text)
	default:
		return d.unwanted(to, v)
	}
	to.SetZero()
	if err != nil {
		to.Set(reflect.ValueOf(err))
	}
	return nil
}

// GuestText is an error that a guest has made of a text.
type GuestText string

// Error is the text.
func (e GuestText) Error() string { return string(e) }

func (d *decoder) time(to reflect.Value, v Value) *ValueError {
	if d.JSON && to.Kind() == reflect.Struct {
		return d.unmarshalText(to, v)
	}
	n, ok := v.Number()
	switch {
	case d.Nanoseconds && v.kind == Int:
		d.instant(to, v.Int())
		return nil
	case d.Nanoseconds:
	case ok && to.Kind() == reflect.Struct && math.Abs(n) < 1<<53:
		whole := math.Floor(n)
		to.Set(reflect.ValueOf(time.Unix(int64(whole), int64(math.Round((n-whole)*1e6))*1000).UTC()))
		return nil
	case ok && d.JSON && v.kind == Int:
		to.SetInt(v.Int())
		return nil
	case ok && !d.JSON && math.Abs(n) < math.MaxInt64/1e9:
		to.SetInt(int64(math.Round(n * 1e9)))
		return nil
	}
	return d.unwanted(to, v)
}

// instant stores a number of nanoseconds.
func (d *decoder) instant(to reflect.Value, ns int64) {
	switch {
	case to.Kind() != reflect.Struct:
		to.SetInt(ns)
	case ns == 0:
		to.SetZero()
	default:
		to.Set(reflect.ValueOf(time.Unix(0, ns).UTC()))
	}
}

func (d *decoder) unmarshalText(to reflect.Value, v Value) *ValueError {
	if v.kind != Text {
		return d.unwanted(to, v)
	}
	if err := to.Addr().Interface().(textType).UnmarshalText([]byte(v.text)); err != nil {
		return refused("want a string that is a %v: %v", to.Type(), err)
	}
	return nil
}

func (d *decoder) number(to reflect.Value, v Value) *ValueError {
	switch {
	case to.CanInt():
		if n, ok := v.Whole(); ok && !to.OverflowInt(n) {
			to.SetInt(n)
			return nil
		}
	case to.CanUint():
		if n, ok := v.Natural(); ok && !to.OverflowUint(n) {
			to.SetUint(n)
			return nil
		}
	case to.CanFloat():
		if f, ok := v.Number(); ok && (math.IsInf(f, 0) || !to.OverflowFloat(f)) {
			to.SetFloat(f)
			return nil
		}
	}
	return d.unwanted(to, v)
}

// list stores a list: a Sequence, or a Mapping with the keys 1 to n. Bytes are a Text.
func (d *decoder) list(to reflect.Value, v Value, depth int) *ValueError {
	switch v.kind {
	case Text:
		if to.Type().Elem() == reflect.TypeFor[byte]() {
			return d.bytes(to, v)
		}
	case Sequence:
		items := v.Items()
		if err := d.resize(to, v, len(items)); err != nil {
			return err
		}
		for i, item := range items {
			if err := d.into(to.Index(i), item, depth-1); err != nil {
				return err.in("[" + strconv.Itoa(i) + "]")
			}
		}
		return nil
	case Mapping:
		return d.listed(to, v, depth)
	}
	return d.unwanted(to, v)
}

func (d *decoder) listed(to reflect.Value, v Value, depth int) *ValueError {
	n := v.Entries().Len()
	if err := d.resize(to, v, n); err != nil {
		return err
	}
	for key, value := range v.Entries().All() {
		i, ok := key.Whole()
		if !ok || i < 1 || i > int64(n) {
			return refused("want a list, which has only the keys 1 to n; got a table with %d keys, of which one is %s", n, got(key))
		}
		if err := d.into(to.Index(int(i-1)), value, depth-1); err != nil {
			return err.in(place(key))
		}
	}
	return nil
}

// resize makes room for n items: an array has its size.
func (d *decoder) resize(to reflect.Value, v Value, n int) *ValueError {
	if to.Kind() == reflect.Array {
		if to.SetZero(); n != to.Len() {
			return refused("want a list of %d, got one of %d", to.Len(), n)
		}
		return nil
	}
	if n > d.room {
		return take(new(int), 0)
	}
	to.Set(reflect.MakeSlice(to.Type(), n, n))
	return nil
}

func (d *decoder) bytes(to reflect.Value, v Value) *ValueError {
	octets := []byte(v.text)
	if d.JSON && v.bits == 0 {
		var err error
		if octets, err = base64.StdEncoding.DecodeString(v.text); err != nil {
			return refused("want bytes as base64: %v", err)
		}
	}
	if to.Kind() == reflect.Slice {
		to.SetBytes(octets)
		return nil
	}
	if len(octets) != to.Len() {
		return refused("want %d bytes, got %d", to.Len(), len(octets))
	}
	reflect.Copy(to, reflect.ValueOf(octets))
	return nil
}

func (d *decoder) entries(to reflect.Value, v Value, depth int) *ValueError {
	if v.kind != Mapping {
		return d.unwanted(to, v)
	}
	t := to.Type()
	made := reflect.MakeMap(t)
	for k, item := range v.Entries().All() {
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		if err := d.key(key, k); err != nil {
			return err
		}
		if err := d.into(value, item, depth-1); err != nil {
			return err.in(place(k))
		}
		made.SetMapIndex(key, value)
	}
	to.Set(made)
	return nil
}

// key stores the key of a map. In JSON all keys are strings.
func (d *decoder) key(to reflect.Value, k Value) *ValueError {
	if to.Kind() == reflect.Interface {
		if !isKey(k) {
			return refused("%s is a key of the table; keys are booleans, numbers and strings", got(k))
		}
	} else if d.JSON && to.Kind() != reflect.String && !isText(to.Type()) {
		k = parseKey(k.text)
	}
	if err := d.into(to, k, 0); err != nil {
		return refused("as a key of the table: %s", err.Reason)
	}
	return nil
}

// parseKey is the number or the boolean that a key of JSON stands for, or the text.
func parseKey(text string) Value {
	if b, err := strconv.ParseBool(text); err == nil && len(text) > 1 {
		return BoolValue(b)
	}
	return parseNumber(text)
}

// parseNumber is the number that a text stands for, or the text.
func parseNumber(text string) Value {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return IntValue(n)
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return UintValue(n)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return FloatValue(f)
	}
	return TextValue(text)
}

func (d *decoder) object(to reflect.Value, v Value, depth int) *ValueError {
	if v.kind != Mapping {
		return d.unwanted(to, v)
	}
	to.SetZero()
	fields := d.fields(to.Type())
	for key, value := range v.Entries().All() {
		f := find(fields, key)
		if f == nil {
			return refused("want the fields %s, got %s", names(fields), got(key))
		}
		if value.kind == Nil {
			continue
		}
		if err := d.into(part(to, f.index), value, depth-1); err != nil {
			return err.in("." + f.name)
		}
	}
	return nil
}

func find(fields []field, key Value) *field {
	for i := range fields {
		if key.kind == Text && fields[i].name == key.text {
			return &fields[i]
		}
	}
	return nil
}

// part is a field of a struct. Embedded pointers on the way to it get a struct.
func part(of reflect.Value, index []int) reflect.Value {
	for _, i := range index {
		if of.Kind() == reflect.Pointer {
			if of.IsNil() {
				of.Set(reflect.New(of.Type().Elem()))
			}
			of = of.Elem()
		}
		of = of.Field(i)
	}
	return of
}
