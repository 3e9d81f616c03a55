package starlark

import (
	"errors"
	"fmt"

	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/stackful"
)

// lifetime is a scope as programs hold it.
type lifetime struct {
	*stackful.Scope
	name string
}

func newScopeKind() *kind[*lifetime] {
	return &kind[*lifetime]{
		name: "scope", show: func(l *lifetime) string { return l.name },
		methods: map[string]func(*call, *lifetime) (gostar.Value, error){
			// s.spawn(f, *args, name="") spawns a fiber in the scope.
			"spawn": func(c *call, in *lifetime) (gostar.Value, error) {
				return c.spawnBy(func(name string, code stackful.Func) (*task, error) { return in.Go(c.fiber, name, code) })
			},
			// s.cancel(cause="cancelled") cancels all fibers of the scope, which then fails.
			"cancel": func(c *call, of *lifetime) (gostar.Value, error) {
				cause, err := c.cause()
				if err != nil {
					return nil, err
				}
				return gostar.None, of.Cancel(c.fiber, cause)
			},
			// s.stop() cancels the other fibers of the scope, which does not fail by that.
			"stop": func(c *call, of *lifetime) (gostar.Value, error) {
				if err := c.unpack(); err != nil {
					return nil, err
				}
				return gostar.None, of.Stop(c.fiber)
			},
		},
	}
}

// openScope is fiber.scope(f, wait="first_error", timeout=None, name=""): it calls f(s) in a fiber of its own, waits until
// that and all fibers that were spawned by s have ended, and returns what f returns, or fiber.TIMEOUT.
func openScope(c *call) (gostar.Value, error) {
	policy, name := "first_error", ""
	var fn gostar.Callable
	var limit timeout
	if err := c.unpack("f", &fn, "wait?", &policy, "timeout?", &limit, "name?", &name); err != nil {
		return nil, err
	}
	goal, ok := map[string]scope.Policy{"first_error": scope.CancelOnError, "all": scope.WaitAll, "any": scope.AnySuccess}[policy]
	if !ok {
		return nil, fmt.Errorf(`scope: wait is %.100q: want "first_error", "all" or "any"`, policy)
	}
	deadline, err := c.deadline(limit)
	if err != nil {
		return nil, err
	}
	in := &lifetime{name: c.named(name)}
	return c.inScope(scope.Options{Policy: goal, Name: in.name}, deadline, fn, gostar.Tuple{&object[*lifetime]{in, c.host.kinds.scope}}, in)
}

// within is fiber.timeout(seconds, f, *args): what f(*args) returns, called in a fiber that is cancelled after so many
// seconds; then fiber.TIMEOUT.
func within(c *call) (gostar.Value, error) {
	if len(c.args) < 2 {
		return nil, errors.New("timeout: want the seconds, a function and its arguments")
	}
	var limit timeout
	if err := limit.Unpack(c.args[0]); err != nil {
		return nil, fmt.Errorf("timeout: for seconds: %w", err)
	}
	deadline, err := c.deadline(limit)
	if err != nil {
		return nil, err
	}
	c.args = c.args[1:]
	fn, args, err := c.callee()
	if err != nil {
		return nil, err
	}
	name := c.named("")
	v, err := c.inScope(scope.Options{Name: name}, deadline, fn, args, &lifetime{name: name})
	if failed, ok := err.(*scope.Failure); ok {
		err = failed.Err // the scope is no object of the program
	}
	return v, err
}

// inScope calls fn in a scope.
func (c *call) inScope(o scope.Options, deadline fiber.Time, fn gostar.Callable, args gostar.Tuple, in *lifetime) (gostar.Value, error) {
	if err := c.share(fn, args); err != nil {
		return nil, err
	}
	code := c.host.function(fn, args, nil)
	v, err := c.fiber.ScopeUntil(o, deadline, func(f *stackful.Fiber, s *stackful.Scope) (any, error) {
		in.Scope = s
		return code(f)
	})
	if late, ok := err.(*scope.CancelError); ok && late.Cause == scope.ErrDeadline {
		return timedOut, nil
	}
	if err != nil {
		return nil, err
	}
	return v.(gostar.Value), nil
}
