package compile

import (
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// visible notes that a variable has its value from here on, if the program keeps that (Options.Variables).
func (f *fn) visible(v *types.Var) {
	if f.c.prog.Variables == nil {
		return
	}
	x := f.vars[v]
	f.note(v, x, f.pc())
}

// argument notes a parameter that is in the registers of the call from the beginning on.
func (f *fn) argument(v *types.Var, at place) {
	if f.c.prog.Variables != nil {
		f.note(v, variable{place: at}, 0)
	}
}

func (f *fn) note(v *types.Var, x variable, from int) {
	if v.Name() == "" || v.Name() == "_" {
		return
	}
	list := &f.c.prog.Variables[f.index]
	f.open = append(f.open, len(*list))
	*list = append(*list, code.Variable{
		Name: v.Name(), Type: f.c.described(v.Type()), N: x.place.n, R: x.place.r, Boxed: x.boxed, From: int32(from), To: -1,
	})
}

// hide ends the scope of the variables that were noted since as many were open.
func (f *fn) hide(open int) {
	for _, i := range f.open[open:] {
		f.c.prog.Variables[f.index][i].To = int32(f.pc())
	}
	f.open = f.open[:open]
}

// described is the form of a type for the variables of a program that keeps them. It is in no table of the
// program, which is the same as without them.
func (c *compiler) described(t types.Type) *code.Type { return c.typeIn(&c.describes, t) }
