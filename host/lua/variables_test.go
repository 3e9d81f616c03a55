//go:build !purego

package lua

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// scopeWriter writes a program of nested blocks and functions, which calls check with the local variables of the
// function there and their values, in the order of their declaration.
type scopeWriter struct {
	*rapid.T
	text    strings.Builder
	visible []string
	made    int
	depth   int
}

func (w *scopeWriter) write(format string, args ...any) { fmt.Fprintf(&w.text, format, args...) }

func (w *scopeWriter) name() string {
	w.made++
	return fmt.Sprintf("%s%d", rapid.SampledFrom([]string{"x", "y"}).Draw(w.T, "name"), w.made%7)
}

// line ends a statement: the next one may be on the same line.
func (w *scopeWriter) line() {
	w.write("%s", rapid.SampledFrom([]string{" ", "\n", ";"}).Draw(w.T, "end"))
}

func (w *scopeWriter) declared(name string, value any) {
	w.visible = append(w.visible, fmt.Sprintf("%s=%v", name, value))
}

// inside writes a block with its own variables.
func (w *scopeWriter) inside(body func()) {
	outer := len(w.visible)
	w.depth++
	body()
	w.visible = w.visible[:outer]
	w.depth--
	w.line()
}

func (w *scopeWriter) check() {
	w.write("check(%q)", strings.Join(w.visible, " "))
	w.line()
}

func (w *scopeWriter) block() {
	for range rapid.IntRange(0, 4).Draw(w.T, "statements") {
		w.statement()
	}
}

func (w *scopeWriter) statement() {
	kinds := []func(){w.check, w.local, w.pair, w.constant}
	if w.depth < 4 {
		kinds = append(kinds, w.do, w.loop, w.each, w.repeat, w.choice, w.closed, w.function)
	}
	rapid.SampledFrom(kinds).Draw(w.T, "kind")()
}

func (w *scopeWriter) local() {
	name := w.name()
	w.write("local %s = %d", name, w.made)
	w.declared(name, w.made)
	w.line()
}

func (w *scopeWriter) pair() {
	a, b := w.name(), w.name()
	w.write("local %s, %s, none = %d, id(%d)", a, b, w.made, w.made)
	w.declared(a, w.made)
	w.declared(b, w.made)
	w.declared("none", "nil")
	w.line()
}

func (w *scopeWriter) constant() {
	name := w.name()
	w.write("local %s = 2 * %d", name, w.made)
	w.declared(name, 2*w.made)
	w.line()
}

func (w *scopeWriter) do() {
	w.write("do ")
	w.inside(func() { w.block(); w.write(" end") })
}

func (w *scopeWriter) loop() {
	name := w.name()
	w.write("for %s = 1, 1 do ", name)
	w.inside(func() { w.declared(name, 1); w.block(); w.write(" end") })
}

func (w *scopeWriter) each() {
	name := w.name()
	w.write("for k, %s in pairs { 9 } do ", name)
	w.inside(func() { w.declared("k", 1); w.declared(name, 9); w.block(); w.write(" end") })
}

func (w *scopeWriter) repeat() {
	w.write("repeat ")
	w.inside(func() { w.block(); w.write(" until check(%q)", strings.Join(w.visible, " ")) })
}

func (w *scopeWriter) choice() {
	w.write("if check(%q) then ", strings.Join(w.visible, " "))
	w.inside(func() { w.block(); w.write(" else ") })
	w.inside(func() { w.block(); w.write(" end") })
}

// closed makes a block whose variable a function uses.
func (w *scopeWriter) closed() {
	name := w.name()
	w.write("do local %s = %d keep(function() return %s end) ", name, w.made, name)
	w.inside(func() { w.declared(name, w.made); w.block(); w.write(" end") })
}

func (w *scopeWriter) function() {
	outer := w.visible
	a, b := w.name(), w.name()
	w.visible = nil
	method := rapid.Bool().Draw(w.T, "method")
	if method {
		w.write("function object:m(%s, %s) ", a, b)
		w.declared("self", "7")
	} else {
		w.write("function object.f(%s, %s) ", a, b)
	}
	w.inside(func() { w.declared(a, 5); w.declared(b, "nil"); w.block(); w.write(" end") })
	if method {
		w.write("object.m(7, 5)")
	} else {
		w.write("object.f(5)")
	}
	w.visible = outer
	w.line()
}

func TestTheVariablesOfACallAreThoseInScope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &scopeWriter{T: t}
		w.write("local object = setmetatable({}, { __tostring = error }) ")
		w.inside(func() { w.block(); w.check() })
		s := New(Config{})
		defer s.Close()
		checks := 0
		s.base.SetGlobal("check", s.base.NewFunction(func(L *glua.LState) int {
			checks++
			require.Equal(t, L.CheckString(1), localsOf(s, L), w.text.String())
			return push(L, glua.LTrue)
		}))
		s.base.SetGlobal("id", s.base.NewFunction(func(L *glua.LState) int { return push(L, L.Get(1)) }))
		s.base.SetGlobal("keep", s.base.NewFunction(func(*glua.LState) int { return 0 }))
		fn, err := s.Load(strings.NewReader(w.text.String()), "p")
		require.NoError(t, err, w.text.String())
		_, err = s.Main().Run(unlimited{}, fn)
		require.NoError(t, err, w.text.String())
		require.Positive(t, checks)
	})
}

// localsOf are the local variables of the function that has called the Go function on L, without those of loops.
func localsOf(s *State, L *glua.LState) string {
	var list []string
	level := 0
	for c := range s.callsOf(L) {
		if level++; level != 2 {
			continue
		}
		for register, name := range activeLocals(c.Call) {
			if name[0] != '(' && name != "object" {
				list = append(list, fmt.Sprintf("%s=%v", name, c.Registers[register]))
			}
		}
	}
	return strings.Join(list, " ")
}

func TestAFunctionThatIsBeingMadeIsNoValueYet(t *testing.T) {
	fn, err := New(Config{}).Load(strings.NewReader("local x = 1 local function f() return f end return x"), "p")
	require.NoError(t, err)
	c := vm.Call{Function: fn, Instruction: 1}
	require.Equal(t, []string{"x", "f"}, activeLocals(c))
	require.True(t, c.Makes(1))
	require.False(t, c.Makes(0))
	c.Instruction = math.MaxInt8
	require.Zero(t, c.Line())
}
