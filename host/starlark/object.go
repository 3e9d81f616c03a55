package starlark

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	gostar "go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// call is one call of a function of the library by a fiber.
type call struct {
	*thread
	name   string
	args   gostar.Tuple
	kwargs []gostar.Tuple
}

// function is a function of the library.
type function func(c *call) (gostar.Value, error)

// builtinOf makes a value of a function of the library.
func builtinOf(name string, fn function) *gostar.Builtin {
	return gostar.NewBuiltin(name, func(star *gostar.Thread, _ *gostar.Builtin, args gostar.Tuple, kwargs []gostar.Tuple) (gostar.Value, error) {
		t := threadOf(star)
		if t == nil {
			return nil, fmt.Errorf("%s: called outside of a fiber", name)
		}
		t.settle()
		v, err := fn(&call{t, name, args, kwargs})
		if err = t.check(err); err != nil {
			return nil, err
		}
		if t.ended != nil {
			return nil, t.ended
		}
		return v, nil
	})
}

// unpack reads the arguments; see starlark.UnpackArgs.
func (c *call) unpack(pairs ...any) error {
	return gostar.UnpackArgs(c.name, c.args, c.kwargs, pairs...)
}

// callee reads a function and the arguments for it, which come first, and options by name.
func (c *call) callee(options ...any) (fn gostar.Callable, args gostar.Tuple, err error) {
	if len(c.args) == 0 {
		return nil, nil, fmt.Errorf("%s: missing argument for f", c.name)
	}
	fn, ok := c.args[0].(gostar.Callable)
	if !ok {
		return nil, nil, fmt.Errorf("%s: f is a %s, not a function", c.name, c.args[0].Type())
	}
	return fn, c.args[1:], gostar.UnpackArgs(c.name, nil, c.kwargs, options...)
}

// timeout is an argument for the most time of a wait; None is no limit.
type timeout struct {
	is bool
	duration
}

// Unpack implements starlark.Unpacker.
func (t *timeout) Unpack(v gostar.Value) error {
	if v == gostar.None {
		return nil
	}
	t.is = true
	return t.duration.Unpack(v)
}

// deadline is the instant at which a wait with the timeout ends.
func (c *call) deadline(t timeout) (fiber.Time, error) {
	if !t.is {
		return fiber.Never, nil
	}
	return wait.Deadline(c.fiber.Now(), t.value)
}

// kind is a type of objects.
type kind[T comparable] struct {
	name    string
	show    func(T) string
	methods map[string]func(c *call, of T) (gostar.Value, error)
}

// object is an object of the library. It is the same in all fibers, so there is nothing to freeze.
type object[T comparable] struct {
	of   T
	kind *kind[T]
}

func (o *object[T]) String() string        { return "<" + o.kind.name + " " + o.kind.show(o.of) + ">" }
func (o *object[T]) Type() string          { return "fiber." + o.kind.name }
func (o *object[T]) Freeze()               {}
func (o *object[T]) Truth() gostar.Bool    { return true }
func (o *object[T]) AttrNames() []string   { return slices.Sorted(maps.Keys(o.kind.methods)) }
func (o *object[T]) Hash() (uint32, error) { return gostar.String(o.String()).Hash() }

// CompareSameType tells whether two objects are the same.
func (o *object[T]) CompareSameType(op syntax.Token, other gostar.Value, _ int) (bool, error) {
	p, ok := other.(*object[T])
	same := ok && o.of == p.of
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("%s %s %s: these values have no order; compare them by == or !=", o.Type(), op, other.Type())
}

// Attr is a method.
func (o *object[T]) Attr(name string) (gostar.Value, error) {
	method, ok := o.kind.methods[name]
	if !ok {
		return nil, nil
	}
	b := builtinOf(name, func(c *call) (gostar.Value, error) { return method(c, o.of) })
	return b, nil
}

// mark is a value that stands for what has no value. It is false.
type mark string

const (
	timedOut = mark("TIMEOUT") // the time is over
	ended    = mark("CLOSED")  // the channel is closed and empty
	empty    = mark("EMPTY")   // there is nothing now
)

func (m mark) String() string        { return "fiber." + string(m) }
func (m mark) Type() string          { return "fiber.mark" }
func (m mark) Freeze()               {}
func (m mark) Truth() gostar.Bool    { return false }
func (m mark) Hash() (uint32, error) { return gostar.String(m).Hash() }

// named gives an object the name that reports show: its own, or where it was made.
func (c *call) named(name string) string {
	if name != "" {
		return name
	}
	c.host.made++
	return c.line() + " #" + strconv.Itoa(c.host.made)
}
