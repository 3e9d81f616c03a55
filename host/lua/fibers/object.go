package fibers

import (
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// homely is a library object, which belongs to one Host.
type homely interface{ home() *Host }

func (c *channel) home() *Host   { return c.host }
func (m *mutex) home() *Host     { return m.host }
func (m *rwmutex) home() *Host   { return m.host }
func (s *semaphore) home() *Host { return s.host }
func (c *cond) home() *Host      { return c.host }
func (o *once) home() *Host      { return o.host }
func (g *group) home() *Host     { return g.host }
func (t *timer) home() *Host     { return t.host }
func (s *lifetime) home() *Host  { return s.host }
func (t *task) home() *Host      { return t.host }

// as is a Lua value as an object of the library.
func as[T homely](v glua.LValue) (object T, ok bool) {
	ud, ok := v.(*glua.LUserData)
	if !ok {
		return object, false
	}
	object, ok = ud.Value.(T)
	return object, ok
}

// argument is an object that a function was given. The hint says what to do about
// another thing.
func argument[T homely](h *Host, L *glua.LState, n int, kind, hint string) T {
	object, ok := as[T](L.Get(n))
	if !ok {
		L.ArgError(n, kind+" expected, got "+typeName(L.Get(n))+hint)
	}
	h.checkHost(L, kind, object.home())
	return object
}

// receiver is the object whose method was called; name is how the hint calls it.
func receiver[T homely](h *Host, L *glua.LState, kind, name string) T {
	return argument[T](h, L, 1, kind, "; call it as "+name+":method()")
}

// integer is an argument that must be a whole number in a range.
func integer(L *glua.LState, arg int, what string, n glua.LNumber, least, most int64) int64 {
	if n != n || n < glua.LNumber(least) || n > glua.LNumber(most) || n != glua.LNumber(int64(n)) {
		L.ArgError(arg, fmt.Sprintf("%s %v: want a whole number from %d to %d", what, float64(n), least, most))
	}
	return int64(n)
}

// site is the position of the call, file:line, in the innermost Lua function; empty if
// only Go functions call each other.
func site(L *glua.LState) string {
	for level := 1; ; level++ {
		if where := L.Where(level); where != "[G]:" {
			return strings.TrimSuffix(where, ":")
		}
	}
}

// objectName tells one object from the others in reports: where it was made, and its
// number, since a line may make several.
func (h *Host) objectName(L *glua.LState) string {
	h.named++
	return strings.TrimSpace(fmt.Sprintf("%s #%d", site(L), h.named))
}

// typeName is the Lua type, or the library's own for its objects.
func typeName(v glua.LValue) string {
	if ud, ok := v.(*glua.LUserData); ok && ud.Metatable != nil {
		if mt, ok := ud.Metatable.(*glua.LTable); ok {
			if name, ok := mt.RawGetString("__metatable").(glua.LString); ok {
				return string(name)
			}
		}
	}
	return v.Type().String()
}
