package anyvalue

import (
	"math/big"
	"net/netip"
	"reflect"
	"strconv"
	"time"
)

// Source returns a number from 0 to n-1.
type Source func(n int) int

// leaves are types without parts.
func leaves() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](),
		reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](),
		reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](),
		reflect.TypeFor[time.Duration](), reflect.TypeFor[time.Time](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[big.Int](), reflect.TypeFor[[]byte](),
	}
}

// Type makes a type whose parts are nested at most depth deep.
func (s Source) Type(depth int) reflect.Type {
	if all := leaves(); depth == 0 || s(3) == 0 {
		return all[s(len(all))]
	}
	switch s(5) {
	case 0:
		return reflect.ArrayOf(s(4), s.Type(depth-1))
	case 1:
		return reflect.MapOf(leaves()[s(14)], s.Type(depth-1))
	case 2:
		return reflect.PointerTo(s.Type(depth - 1))
	case 3:
		fields := make([]reflect.StructField, s(5))
		for i := range fields {
			fields[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: s.Type(depth - 1)}
			if kind := fields[i].Type.Kind(); kind != reflect.Slice && kind != reflect.Map { // an empty one that is left out comes back as nil
				fields[i].Tag = []reflect.StructTag{"", `guest:",omitempty"`, reflect.StructTag(`guest:"other ` + strconv.Itoa(i) + `"`)}[s(3)]
			}
		}
		return reflect.StructOf(fields)
	}
	return reflect.SliceOf(s.Type(depth - 1))
}

// Value makes a value of a type that Type has made. Slices and maps are not nil. A pointer may be nil only
// where absent is true: a list or a map of a guest cannot hold nil.
func (s Source) Value(t reflect.Type, absent bool) reflect.Value {
	v := reflect.New(t).Elem()
	switch made := v.Addr().Interface().(type) {
	case *time.Duration:
		*made = time.Duration(s.integer(50))
		return v
	case *time.Time:
		*made = time.UnixMicro(s.integer(50)).UTC()
		return v
	case *netip.Addr:
		*made = netip.AddrFrom4([4]byte{byte(s(256)), byte(s(256)), 1, 2})
		return v
	case *big.Int:
		made.Lsh(big.NewInt(1+s.integer(60)), uint(s(100)))
		return v
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(s(2) == 1)
	case reflect.String:
		v.SetString(s.text())
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(s.Value(t.Elem(), false))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, s(4), 4))
		for i := range v.Len() {
			v.Index(i).Set(s.Value(t.Elem(), false))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		for range s(4) {
			v.SetMapIndex(s.Value(t.Key(), false), s.Value(t.Elem(), false))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			v.Field(i).Set(s.Value(t.Field(i).Type, true))
		}
	case reflect.Pointer:
		if !absent || s(3) > 0 {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(s.Value(t.Elem(), false))
		}
	default:
		s.number(v)
	}
	return v
}

func (s Source) number(v reflect.Value) {
	bits := min(v.Type().Bits()-1, 53)
	switch n := s.integer(bits); {
	case v.CanInt():
		v.SetInt(n)
	case v.CanUint():
		v.SetUint(uint64(max(n, -n)))
	default:
		v.SetFloat(float64(float32(n) / 8))
	}
}

// integer makes an integer with at most so many significant bits.
func (s Source) integer(bits int) int64 {
	n := int64(s(1<<30))<<32 | int64(s(1<<30))<<2 | int64(s(4)) // an int may have 32 bits
	n >>= 62 - s(bits+1)
	if s(2) == 1 {
		return -n
	}
	return n
}

func (s Source) text() string {
	return []string{"", "a", "täxt", "with \x00", "10", "true", "\"quoted\"\n", "日本"}[s(8)]
}
