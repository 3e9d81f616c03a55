package fibers

import (
	"errors"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/stackful"
)

// lifetime is a scope as Lua programs hold it.
type lifetime struct {
	*stackful.Scope
	name string
	host *Host
}

func (h *Host) openScope() {
	h.types.scope = h.newType("fiber.scope", map[string]glua.LGFunction{
		"spawn": h.spawnInScope, "cancel": h.cancelScope, "stop": h.stopScope,
	})
	h.nameType(h.types.scope, "scope", func(L *glua.LState) string { return h.checkScope(L).name })
}

func (h *Host) checkScope(L *glua.LState) *lifetime { return receiver[*lifetime](h, L, "scope", "s") }

// scope is fiber.scope(f [, options]): it calls f(s) in a fiber of its own, waits until
// that and all fibers spawned through s have ended, and gives what f gives.
func (h *Host) scope(L *glua.LState) int {
	c, fn := h.self(L), L.CheckFunction(1)
	o, deadline := h.scopeOptions(L, 2)
	s, t := &lifetime{name: o.Name, host: h}, &task{host: h}
	code := h.code(t, site(L), h.state.Spawn(L), fn, []glua.LValue{object(s, h.types.scope)})
	result, err := c.fiber.ScopeUntil(o, deadline, func(f *stackful.Fiber, inner *stackful.Scope) (any, error) {
		s.Scope, t.stack = inner, f.Task()
		return code(f)
	})
	if h.scopeTimedOut(L, c.back(err)) {
		return 2
	}
	values, _ := result.([]glua.LValue)
	for _, v := range values {
		L.Push(v)
	}
	return len(values)
}

// scopeOptions reads { wait = "first_error"|"all"|"any", timeout = seconds, name = string }.
func (h *Host) scopeOptions(L *glua.LState, arg int) (o scope.Options, deadline fiber.Time) {
	deadline = fiber.Never
	spec := L.OptTable(arg, L.NewTable())
	for key, value := spec.Next(glua.LNil); key != glua.LNil; key, value = spec.Next(key) {
		seconds, isNumber := value.(glua.LNumber)
		text, isText := value.(glua.LString)
		policy, known := scopePolicy(string(text))
		switch {
		case key == glua.LString("wait") && isText && known:
			o.Policy = policy
		case key == glua.LString("timeout") && isNumber:
			deadline = h.until(L, arg, seconds)
		case key == glua.LString("name") && isText:
			o.Name = string(text)
		default:
			L.ArgError(arg, word(key)+` = `+word(value)+`: want wait = "first_error", "all" or "any", timeout = seconds, or name = string`)
		}
	}
	if o.Name == "" {
		o.Name = h.objectName(L)
	}
	return o, deadline
}

func scopePolicy(wait string) (p scope.Policy, known bool) {
	switch wait {
	case "first_error":
		return scope.CancelOnError, true
	case "all":
		return scope.WaitAll, true
	case "any":
		return scope.AnySuccess, true
	}
	return 0, false
}

// scopeTimedOut pushes nil, "timeout" if that is how the scope ended. A failure is raised
// with the value that the fiber raised; anything else at the position of the call.
func (h *Host) scopeTimedOut(L *glua.LState, err error) bool {
	var guest *GuestError
	switch err := err.(type) {
	case *scope.CancelError:
		if err.Cause == scope.ErrDeadline {
			L.Push(glua.LNil)
			L.Push(glua.LString("timeout"))
			return true
		}
	case *scope.Failure:
		if errors.As(err.Err, &guest) && guest.Value != nil {
			L.Error(guest.Value, 0)
		}
	}
	h.check(L, err)
	return false
}

func (h *Host) spawnInScope(L *glua.LState) int {
	s, c, fn := h.checkScope(L), h.self(L), L.CheckFunction(2)
	t, err := h.startBy(func(name string, fn stackful.Func) (*stackful.Task, error) {
		return s.Go(c.fiber, name, fn)
	}, site(L), h.state.Spawn(L), fn, copied(L, 3))
	h.checkSpawn(L, c.back(err))
	L.Push(t.object())
	return 1
}

// cancelScope is s:cancel([cause]).
func (h *Host) cancelScope(L *glua.LState) int {
	s, c := h.checkScope(L), h.self(L)
	cause := errors.New(L.OptString(2, "cancelled"))
	h.check(L, c.back(s.Cancel(c.fiber, cause)))
	return 0
}

// stopScope is s:stop(): it cancels the others, and that is no error.
func (h *Host) stopScope(L *glua.LState) int {
	s, c := h.checkScope(L), h.self(L)
	h.check(L, c.back(s.Stop(c.fiber)))
	return 0
}
