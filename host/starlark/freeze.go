package starlark

import (
	"fmt"
	"path"

	gostar "go.starlark.net/starlark"
)

// maxLevels is how deep the values may be that fibers share, print and convert to text. The engine walks them with a
// recursive function.
const maxLevels = 10_000

// freeze freezes a value that another fiber gets, with the globals of the functions in it. It pays for that.
func (t *thread) freeze(v gostar.Value) error {
	switch v.(type) {
	case nil, gostar.NoneType, gostar.Bool, gostar.Int, gostar.Float, gostar.String, gostar.Bytes:
		return nil
	}
	var m measure
	s, err := m.shallow(v)
	if err != nil {
		return err
	}
	if err := t.charge(product(s.parts, elementBytes) / bytesOfStep); err != nil {
		return err
	}
	v.Freeze()
	for _, fn := range m.functions {
		if err := t.freezeGlobals(fn); err != nil {
			return err
		}
	}
	return nil
}

// freezeGlobals freezes the globals of the file of a function. When a file has been executed, they are frozen.
func (t *thread) freezeGlobals(fn *gostar.Function) error {
	m := t.host.modules[path.Clean(fn.Position().Filename())]
	if m == nil || m.loaded {
		return nil
	}
	return m.freeze(fn.Globals())
}

// freeze freezes the globals that are not frozen yet.
func (m *module) freeze(globals gostar.StringDict) error {
	if m.frozen == nil {
		m.frozen = map[gostar.Value]struct{}{}
	}
	for name, v := range globals {
		switch v.(type) {
		case *gostar.List, *gostar.Dict, *gostar.Set, *gostar.Function, *gostar.Builtin:
			if _, done := m.frozen[v]; done {
				continue
			}
			m.frozen[v] = struct{}{}
		}
		var part measure
		if _, err := part.shallow(v); err != nil {
			return fmt.Errorf("the global %s: %w", name, err)
		}
		v.Freeze()
	}
	return nil
}
