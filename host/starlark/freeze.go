package starlark

import (
	"fmt"

	gostar "go.starlark.net/starlark"
)

// maxLevels is how deep the values may be that fibers share, print and convert to text. The engine walks them with a
// recursive function.
const maxLevels = 10_000

// freeze freezes a value that another fiber gets, with the globals of the functions in it.
func freeze(v gostar.Value) error {
	switch v.(type) {
	case nil, gostar.NoneType, gostar.Bool, gostar.Int, gostar.Float, gostar.String, gostar.Bytes:
		return nil
	}
	var m measure
	if _, err := m.shallow(v); err != nil {
		return err
	}
	v.Freeze()
	for _, fn := range m.functions {
		if err := freezeAll(fn.Globals()); err != nil {
			return err
		}
	}
	return nil
}

// freezeAll freezes the globals of a file.
func freezeAll(globals gostar.StringDict) error {
	for name, v := range globals {
		var m measure
		if _, err := m.shallow(v); err != nil {
			return fmt.Errorf("the global %s: %w", name, err)
		}
	}
	globals.Freeze()
	return nil
}
