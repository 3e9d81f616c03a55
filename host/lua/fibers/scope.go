package fibers

import (
	"errors"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/stackful"
)

// lifetime is a scope as Lua programs hold it.
type lifetime struct {
	*stackful.Scope
	name string

	watched []*task // its fibers, if races are looked for
}

// scopes has the functions of scopes.
type scopes struct {
	*tasks
	lifetimes *typeOf[*lifetime]
}

func newScopes(t *tasks) *scopes {
	s := &scopes{tasks: t}
	s.lifetimes = newType(t.env, typeSpec[*lifetime]{
		library: "fiber", kind: "scope", self: "s", show: func(l *lifetime) string { return l.name }, methods: s.methods,
	})
	return s
}

func (s *scopes) methods(t *typeOf[*lifetime]) functions {
	return functions{
		// s:spawn(f, ...) spawns a fiber in the scope.
		"spawn": func(L *glua.LState) int {
			c, in := t.op(L)
			fn := L.CheckFunction(2)
			spawn := func(name string, code stackful.Func) (*stackful.Task, error) { return in.Go(c.fiber, name, code) }
			made, err := s.start(spawn, site(L), s.state.Spawn(L), fn, copied(L, 3))
			s.checkSpawn(L, c.back(err))
			if s.watch.watched() {
				in.watched = append(in.watched, made)
			}
			return push(L, s.object(made))
		},
		// s:cancel([cause]) cancels all fibers of the scope, which then fails.
		"cancel": func(L *glua.LState) int { c, of := t.op(L); return c.done(of.Cancel(c.fiber, cancelCause(L))) },
		// stop cancels the other fibers of the scope, and the scope does not fail by that.
		"stop": func(L *glua.LState) int { c, of := t.op(L); return c.done(of.Stop(c.fiber)) },
	}
}

// scope is fiber.scope(f [, options]): it calls f(s) in a fiber of its own, waits until that
// fiber and all fibers that were spawned through s have ended, and returns the results of f.
func (s *scopes) scope(L *glua.LState) int {
	c, fn := s.begin(L), L.CheckFunction(1)
	o, deadline := s.settings(L, 2)
	l, t := &lifetime{name: o.Name}, &task{}
	inside := &carrier{env: s.env, thread: s.state.Spawn(L), task: t, first: fn, args: []glua.LValue{s.lifetimes.wrap(l)}}
	code := inside.code(site(L))
	result, err := c.fiber.ScopeUntil(o, deadline, func(f *stackful.Fiber, inner *stackful.Scope) (any, error) {
		l.Scope, t.stack = inner, f.Task()
		return code(f)
	})
	s.watch.joined(append(l.watched, t)...)
	if c.scopeTimedOut(err) {
		return 2
	}
	values, _ := result.([]glua.LValue)
	return push(L, values...)
}

// settings reads { wait = "first_error"|"all"|"any", timeout = seconds, name = string }, and quotas.
func (s *scopes) settings(L *glua.LState, arg int) (scope.Options, fiber.Time) {
	o := s.options(L, arg, 0, "wait", "timeout", "name", "steps", "fibers", "timers", "operations", "output", "time")
	policies := [...]scope.Policy{scope.CancelOnError, scope.WaitAll, scope.AnySuccess}
	policy, name := policies[o.choice("wait", "first_error", "all", "any")], o.text("name")
	if name == "" {
		name = s.objectName(L)
	}
	return scope.Options{Policy: policy, Name: name, Limits: o.quotas()}, o.timeout()
}

// quotas are the options that limit what is used. An absent one is 0, which is no limit.
func (o options) quotas() quota.Limits {
	return quota.Limits{
		Steps:  max(o.wholeLimit("steps", "steps"), 0),
		Fibers: max(o.wholeLimit("fibers", "fibers"), 0), Timers: max(o.wholeLimit("timers", "timers"), 0),
		Operations: max(o.wholeLimit("operations", "operations"), 0), Output: max(o.wholeLimit("output", "bytes"), 0),
		Time: max(o.limitOfTime("time"), 0),
	}
}

// scopeTimedOut pushes nil and "timeout" if err says that the scope ended at its deadline. The
// failure of a fiber is raised with the value that the fiber raised, any other error at the
// position of the call.
func (c call) scopeTimedOut(err error) bool {
	var guest *GuestError
	switch err := c.back(err).(type) {
	case *scope.CancelError:
		if err.Cause == scope.ErrDeadline {
			push(c.L, glua.LNil, glua.LString("timeout"))
			return true
		}
	case *scope.Failure:
		if passed := new(*quota.Error); errors.As(err.Err, passed) {
			c.env.check(c.L, *passed)
		}
		if errors.As(err.Err, &guest) && guest.Value != nil {
			c.L.Error(guest.Value, 0)
		}
	}
	c.env.check(c.L, err)
	return false
}
