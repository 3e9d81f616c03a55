package starlark_test

import (
	"errors"
	"maps"
	"slices"
	"strings"

	gostar "go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// fibonacci is an endless sequence.
type fibonacci struct{}

func (fibonacci) String() string           { return "fib" }
func (fibonacci) Type() string             { return "fib" }
func (fibonacci) Freeze()                  {}
func (fibonacci) Truth() gostar.Bool       { return true }
func (fibonacci) Hash() (uint32, error)    { return 0, errors.New("fib is unhashable") }
func (fibonacci) Iterate() gostar.Iterator { return &pair{0, 1} }

type pair [2]int

func (p *pair) Next(v *gostar.Value) bool {
	*v = gostar.MakeInt(p[0])
	p[0], p[1] = p[1], p[0]+p[1]
	return true
}

func (*pair) Done() {}

// fields is a value whose fields the tests set.
type fields struct {
	values gostar.StringDict
	frozen bool
}

func (f *fields) String() string        { return "hasfields" }
func (f *fields) Type() string          { return "hasfields" }
func (f *fields) Truth() gostar.Bool    { return true }
func (f *fields) Hash() (uint32, error) { return 42, nil }

func (f *fields) Freeze() {
	if !f.frozen {
		f.frozen = true
		f.values.Freeze()
	}
}

func (f *fields) Attr(name string) (gostar.Value, error) { return f.values[name], nil }
func (f *fields) AttrNames() []string                    { return slices.Sorted(maps.Keys(f.values)) }

func (f *fields) SetField(name string, v gostar.Value) error {
	switch {
	case f.frozen:
		return errors.New("cannot set field on a frozen hasfields")
	case strings.HasPrefix(name, "no"):
		return gostar.NoSuchAttrError("no ." + name + " field")
	}
	f.values[name] = v
	return nil
}

// Binary lets a list be added.
func (f *fields) Binary(op syntax.Token, y gostar.Value, _ gostar.Side) (gostar.Value, error) {
	if _, ok := y.(*gostar.List); ok && op == syntax.PLUS {
		return gostar.MakeInt(42), nil
	}
	return nil, nil
}
