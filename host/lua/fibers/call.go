package fibers

import (
	"errors"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/lua/internal/vm"
	"github.com/selvage-dev/selvage/stackful"
)

// call is one call of a library function by a fiber.
//
// The methods that take an error are called with the result of an operation that may have
// blocked the fiber. They make the Lua state the fiber's again (carrier.back) before they
// touch a Lua value. They do not return if the fiber was cancelled or killed.
type call struct {
	*carrier
	L *glua.LState
}

// check raises the error of an operation at the position of the call.
func (c call) check(err error) { c.env.check(c.L, c.back(err)) }

// done ends a call that has no results.
func (c call) done(err error) int {
	c.check(err)
	return 0
}

// ended ends a wait with a deadline: it returns true, or nil and "timeout".
func (c call) ended(err error) int { return c.result(err, glua.LTrue) }

// result ends a wait with a deadline: it returns v, or nil and "timeout".
func (c call) result(err error, v glua.LValue) int {
	if c.timedOut(err) {
		return 2
	}
	return push(c.L, v)
}

// tried ends an operation that does not wait: it returns whether it was done.
func (c call) tried(ok bool, err error) int {
	c.check(err)
	return push(c.L, glua.LBool(ok))
}

// timedOut pushes nil and "timeout" if err is a timeout, and raises any other error.
func (c call) timedOut(err error) bool {
	return c.env.timedOut(c.L, c.back(err))
}

// deadline reads an optional timeout; see env.deadline.
func (c call) deadline(arg int) fiber.Time { return c.env.deadline(c.L, arg) }

// during runs a Lua function between the start of something, which has returned err, and its
// end; see env.during. The receiver of the method, argument 1, is not passed on.
func (c call) during(err error, end func(now *carrier) error) int {
	c.check(err)
	c.L.Remove(1)
	return c.env.during(c.L, end)
}

// push pushes the results of a function, and returns their number.
func push(L *glua.LState, values ...glua.LValue) int {
	vm.Reserve(L, len(values))
	for _, v := range values {
		L.Push(v)
	}
	return len(values)
}

// listOf is a table of strings, one for each of the items.
func listOf[T any](L *glua.LState, items []T, text func(T) string) *glua.LTable {
	list := L.NewTable()
	for _, item := range items {
		list.Append(glua.LString(text(item)))
	}
	return list
}

// timedOut pushes nil and "timeout" if err is a timeout, and raises any other error.
func (e *env) timedOut(L *glua.LState, err error) bool {
	if !errors.Is(err, stackful.ErrTimeout) {
		e.check(L, err)
		return false
	}
	push(L, glua.LNil, glua.LString("timeout"))
	return true
}
