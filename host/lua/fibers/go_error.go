package fibers

import (
	"errors"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/bind"
)

// goErrors are the metatable of Go errors as Lua values. The value of such an object is the error
// itself, so that it is found again when the object comes back.
type goErrors struct{ made *glua.LTable }

// luaError makes a Lua value of a Go error. A text that came from Lua is a string again, and what a Lua
// function raised in a Go function that has returned it is what it was.
func (e *env) luaError(err error) glua.LValue {
	if text, ok := err.(bind.GuestText); ok {
		return glua.LString(text)
	}
	if g, ok := err.(*GuestError); ok && g.of == e {
		return g.Value
	}
	return &glua.LUserData{Value: err, Metatable: e.errors.metatable(e)}
}

// metatable is made with the first error. Programs cannot reach it.
func (g *goErrors) metatable(e *env) *glua.LTable {
	if g.made == nil {
		L := e.state.Base()
		g.made = functionTable(L, functions{
			"__tostring": func(L *glua.LState) int { return push(L, glua.LString(shown(L.Get(1)))) },
			"__concat": func(L *glua.LState) int {
				return push(L, glua.LString(shown(L.Get(1))+shown(L.Get(2))))
			},
			"__eq": func(L *glua.LState) int {
				return push(L, glua.LBool(sameError(goError(L.Get(1)), goError(L.Get(2)))))
			},
		})
		g.made.RawSetString("__metatable", glua.LString("error"))
	}
	return g.made
}

// sameError compares errors; those of types that cannot be compared differ.
func sameError(a, b error) (same bool) {
	defer func() { _ = recover() }()
	return a == b
}

// shown is the text of a Lua value in a message. It does not show what a Go function panicked with: that
// describes Go code, which a program cannot correct.
func shown(v glua.LValue) string {
	if broken, ok := errors.AsType[*bind.PanicError](goError(v)); ok {
		return broken.Function + ": a Go function failed"
	}
	return text(v)
}

// raiseGo raises a Go error as a Lua value that keeps its identity.
func (e *env) raiseGo(L *glua.LState, err error) { L.Error(e.luaError(err), 0) }
