package lua

import (
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// variables collects those of a call that have different names: of several, only the innermost one can be
// used there.
type variables struct {
	state *State
	names map[string]bool
	list  []frame.Variable
}

// add adds a variable. gopher-lua's own have names in parentheses.
func (v *variables) add(name string, values ...glua.LValue) {
	if name == "" || name[0] == '(' || v.names[name] {
		return
	}
	v.names[name] = true
	v.list = append(v.list, frame.Variable{Name: frame.Clip(name), Value: v.state.preview(values...)})
}

// variables are the local variables of a Lua function, "..." if it has got more than its parameters, and the
// variables around it that it uses.
func (s *State) variables(c call) []frame.Variable {
	v := variables{state: s, names: map[string]bool{}}
	local := activeLocals(c.Call)
	for register, name := range slices.Backward(local) {
		if register < len(c.Registers) && !c.Makes(register) && !isArg(c.Call, register, name) {
			v.add(name, c.Registers[register])
		}
	}
	slices.Reverse(v.list)
	if len(c.Varargs) > 0 {
		v.add("...", c.Varargs...)
	}
	names := c.Function.Proto.DbgUpvalues
	for i, up := range c.Function.Upvalues[:min(len(names), len(c.Function.Upvalues))] {
		if up != nil {
			v.add(names[i], up.Value())
		}
	}
	return v.list
}

// isArg reports whether a register would hold the table arg of Lua 5.0, if the function did not use "...".
func isArg(c vm.Call, register int, name string) bool {
	return name == "arg" && register == int(c.Function.Proto.NumParameters) && c.Registers[register] == glua.LNil
}

// activeLocals are the names of the local variables at the instruction of a call, by register: the parameters if it
// has not begun. gopher-lua's LState.GetLocal leaves out those that begin or end there.
func activeLocals(c vm.Call) (names []string) {
	all := c.Function.Proto.DbgLocals
	if c.Instruction < 0 {
		all = all[:min(int(c.Function.Proto.NumParameters), len(all))]
	}
	for _, l := range all {
		if l.StartPc > max(c.Instruction, 0) {
			break
		}
		if c.Instruction <= l.EndPc {
			names = append(names, l.Name)
		}
	}
	return names
}
