package starlark

import (
	"fmt"

	gostar "go.starlark.net/starlark"
)

// maxLevels is how deep the values may be that fibers share, print and convert to text. The engine walks them with a
// recursive function.
const maxLevels = 10_000

// freeze freezes a value that another fiber gets, and for functions the globals of their files too.
func freeze(v gostar.Value) error {
	if v == nil {
		return nil
	}
	if err := shallow(v); err != nil {
		return err
	}
	v.Freeze()
	return freezeGlobals(v)
}

// freezeGlobals freezes what a function can reach besides its own variables. A program that passes a function in a
// list freezes the globals itself: the end of its file does.
func freezeGlobals(v gostar.Value) error {
	fn, ok := v.(*gostar.Function)
	if !ok {
		return nil
	}
	return freezeAll(fn.Globals())
}

func freezeAll(globals gostar.StringDict) error {
	for name, v := range globals {
		if err := shallow(v); err != nil {
			return fmt.Errorf("the global %s: %w", name, err)
		}
	}
	globals.Freeze()
	return nil
}
