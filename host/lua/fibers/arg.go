package fibers

import (
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// deadline reads an optional timeout in seconds. Without one the deadline is fiber.Never.
func (e *env) deadline(L *glua.LState, arg int) fiber.Time {
	v := L.Get(arg)
	if v == glua.LNil {
		return fiber.Never
	}
	n, ok := v.(glua.LNumber)
	if !ok {
		L.ArgError(arg, "timeout: number of seconds expected, got "+v.Type().String())
	}
	return e.until(L, arg, n)
}

// until returns the time after so many seconds, which came from an argument.
func (e *env) until(L *glua.LState, arg int, seconds glua.LNumber) fiber.Time {
	d, err := wait.Seconds(float64(seconds))
	if err != nil {
		L.ArgError(arg, plain(err))
	}
	at, err := wait.Deadline(e.rt.Scheduler().Now(), d)
	if err != nil {
		L.ArgError(arg, plain(err))
	}
	return at
}

// integer checks that an argument is a whole number in a range.
func integer(L *glua.LState, arg int, what string, n glua.LNumber, least, most int64) int64 {
	if n != n || n < glua.LNumber(least) || n > glua.LNumber(most) || n != glua.LNumber(int64(n)) {
		L.ArgError(arg, fmt.Sprintf("%s %v: want a whole number from %d to %d", what, float64(n), least, most))
	}
	return int64(n)
}

// copied returns the arguments from position from on in a slice of its own: other calls reuse
// the Lua stack while the fiber is suspended.
func copied(L *glua.LState, from int) []glua.LValue {
	values := make([]glua.LValue, 0, max(L.GetTop()-from+1, 0))
	for i := from; i <= L.GetTop(); i++ {
		values = append(values, L.Get(i))
	}
	return values
}

// word is a string as it is, and the type of any other value.
func word(v glua.LValue) string {
	if v.Type() == glua.LTString {
		return v.String()
	}
	return "a " + typeName(v)
}

// site returns the position of the call, file:line, in the innermost Lua function; "" if only
// Go functions have called each other.
func site(L *glua.LState) string {
	for level := 1; ; level++ {
		if where := L.Where(level); where != "[G]:" {
			return strings.TrimSuffix(where, ":")
		}
	}
}
