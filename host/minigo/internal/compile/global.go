package compile

import (
	"go/types"
)

// escapeInits prepares the closures in the initializers of package variables.
func (f *fn) escapeInits(inits []*types.Initializer) {
	f.esc = findEscapes(f.info, f.boxed)
	for _, init := range inits {
		f.esc.walk(init.Rhs)
	}
}

// globalInit sets package variables to their first values.
func (f *fn) globalInit(init *types.Initializer) {
	mark := f.top
	if len(init.Lhs) == 1 {
		v := init.Lhs[0]
		src := f.valueAs(init.Rhs, v.Type())
		f.setGlobal(v, src)
	} else {
		values, ts := f.tuple(init.Rhs)
		for i, v := range init.Lhs {
			f.setGlobal(v, f.convertPlace(values[i], ts[i], v.Type()))
		}
	}
	f.top = mark
}

func (f *fn) setGlobal(v *types.Var, src place) {
	if v.Name() != "_" {
		f.storeVar(f.lookup(v), v.Type(), src)
	}
}
