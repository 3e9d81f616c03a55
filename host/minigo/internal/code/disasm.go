package code

import (
	"fmt"
	"strings"
)

// String is the code of all functions.
func (p *Program) String() string {
	var b strings.Builder
	for i, f := range p.Funcs {
		if f == p.Setup { // a part of Init
			continue
		}
		fmt.Fprintf(&b, "func %d %s", i, f)
	}
	return b.String()
}

// String is the code, one instruction a line with its number and source line.
func (f *Func) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s) window %d+%d, results %d+%d, arguments %d+%d\n", f.Name, f.File, f.N, f.R, f.ResN, f.ResR, f.ArgN, f.ArgR)
	for pc, in := range f.Code {
		fmt.Fprintf(&b, "%5d %4d  %s\n", pc, f.Position(pc), f.text(pc, in))
	}
	return b.String()
}

func (f *Func) text(pc int, in Instr) string {
	s := fmt.Sprintf("%-9s %d %d %d", in.Op, in.A, in.B, in.C)
	switch {
	case in.Op >= Jmp && in.Op <= JSet || in.Op == NextRune:
		return fmt.Sprintf("%s -> %d", s, pc+1+int(in.D))
	case in.Op > EqIfc && int(in.D) < len(f.Aux) && in.D >= 0 && in.Op != Native && in.Op != SqrtF && in.Op != Watch:
		x := f.Aux[in.D]
		s += fmt.Sprintf(" %v", x.I)
		if x.F != nil {
			s += " " + x.F.Name
		}
		if x.T != nil {
			s += " " + x.T.Name
		}
		return s
	}
	return fmt.Sprintf("%s %d", s, in.D)
}
