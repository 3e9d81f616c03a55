package starlark

import (
	"fmt"
	"math"

	gostar "go.starlark.net/starlark"
)

// size is what a walk through a value finds. A part that occurs twice counts twice, as in its text.
type size struct {
	parts int64 // values
	bytes int64 // of their texts, about
	deep  int   // levels
}

// most keeps sums from overflowing.
const most = math.MaxInt64 / 4

func (s size) steps() int64 { return product(s.parts, elementBytes)/bytesOfStep + s.bytes/bytesOfStep }

// sizeOf measures a value.
func sizeOf(v gostar.Value) size { return new(measure).of(v, 0) }

// measure remembers the parts that can occur twice. Time is in proportion to the parts that differ.
type measure struct {
	known     map[gostar.Value]size
	stops     bool // at maxLevels
	functions []*gostar.Function
}

func (m *measure) of(v gostar.Value, level int) size {
	switch v := v.(type) {
	case gostar.String:
		return size{1, int64(len(v)) + 2, 1}
	case gostar.Bytes:
		return size{1, 4*int64(len(v)) + 3, 1}
	case gostar.Int:
		if _, small := v.Int64(); !small {
			n := int64(v.BigInt().BitLen()) / 3
			return size{1 + product(n, n)/(1024*elementBytes), n, 1}
		}
	case *gostar.Builtin:
		if v.Receiver() != nil {
			return m.of(v.Receiver(), level+1)
		}
	case *gostar.List, *gostar.Dict, *gostar.Set, *gostar.Function:
		known, is := m.known[v]
		if is {
			return known
		}
		if m.known == nil {
			m.known = map[gostar.Value]size{}
		}
		m.known[v] = size{1, 3, 1} // a cycle is printed as …
		s := m.parts(v, level)
		m.known[v] = s
		return s
	case gostar.Tuple:
		return m.parts(v, level)
	case gostar.HasAttrs:
		if isStruct(v) {
			return m.parts(v, level)
		}
	}
	return size{1, 24, 1}
}

func (m *measure) parts(v gostar.Value, level int) size {
	sum := size{1, 2, 0}
	if level >= maxLevels {
		m.stops = true
		return size{1, 2, maxLevels}
	}
	add := func(part gostar.Value) {
		s := m.of(part, level+1)
		sum.parts = min(sum.parts+s.parts, most)
		sum.bytes = min(sum.bytes+s.bytes+2, most)
		sum.deep = max(sum.deep, s.deep)
	}
	switch v := v.(type) {
	case gostar.IterableMapping:
		for key, value := range gostar.Entries(v) {
			add(key)
			add(value)
		}
	case gostar.Iterable:
		for part := range gostar.Elements(v) {
			add(part)
		}
	case *gostar.Function:
		m.functions = append(m.functions, v)
		for i := range v.NumParams() {
			if d := v.ParamDefault(i); d != nil {
				add(d)
			}
		}
		for i := range v.NumFreeVars() {
			if _, free := v.FreeVar(i); free != nil {
				add(free)
			}
		}
	case gostar.HasAttrs:
		for _, name := range v.AttrNames() {
			if field, err := v.Attr(name); err == nil && field != nil {
				add(field)
			}
		}
	}
	sum.deep++
	return sum
}

// shallow measures a value, and refuses one that is too deep for a recursive function.
func (m *measure) shallow(v gostar.Value) (size, error) {
	s := m.of(v, 0)
	if m.stops || s.deep > maxLevels {
		return s, fmt.Errorf("a %s is nested more than %d levels deep", v.Type(), maxLevels)
	}
	return s, nil
}
