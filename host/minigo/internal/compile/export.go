package compile

import (
	"go/types"
	"slices"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// export compiles the exported functions of a package for the host to call.
func (c *compiler) export(pkg *types.Package) {
	c.prog.Exports = map[string]code.Export{}
	for _, basic := range []types.BasicKind{types.Bool, types.Int, types.Uint64, types.Float64, types.String} {
		c.typeOf(types.Typ[basic]) // what an argument of type any may be
	}
	empty := types.NewInterfaceType(nil, nil)
	c.typeOf(types.NewSlice(empty))
	c.typeOf(types.NewMap(types.Typ[types.String], empty))
	for _, name := range pkg.Scope().Names() {
		f, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !f.Exported() || c.isNative(f) {
			continue
		}
		sig := f.Type().(*types.Signature)
		c.prog.Exports[name] = code.Export{
			Func: c.prog.Funcs[c.funcIndex(f)], Params: c.typesOf(sig.Params()), Results: c.typesOf(sig.Results()),
		}
	}
}

// makeSetup copies Init up to its call of main.
func (c *compiler) makeSetup() {
	setup := *c.prog.Init
	setup.Index = len(c.prog.Funcs)
	setup.Code = append(slices.Clone(setup.Code[:c.mainAt]), code.Instr{Op: code.Ret})
	setup.Line = slices.Clone(setup.Line[:c.mainAt+1])
	c.prog.Setup = &setup
	c.prog.Funcs = append(c.prog.Funcs, &setup)
}
