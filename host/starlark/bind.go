package starlark

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"

	gostar "go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/host/bind"
)

// Bind makes a Go function available to programs, under a name that all their files have, or as a member of a module
// with such a name: "db.query". The owner calls it before the programs run. Arguments and results are converted as those
// of Call, but arguments are not frozen; arguments pass by position. An argument that does not fit ends the caller with an error that has its number.
// Several results are a tuple. An error that the function returns ends the caller: errors.Is finds it in what Run or Call
// returns. A panic of the function ends it with a *bind.PanicError. A function of the program that is an argument may
// wait when the Go function calls it.
//
// Errors: *bind.ValueError for a name with an empty part or more than two, or that is taken; *bind.TypeError for a result
// that is an iterator.
func (h *Host) Bind(name string, function *bind.Func) error {
	for i, t := range function.Results() {
		if t.Kind() == reflect.Func {
			return &bind.TypeError{Function: function.Name(), Place: fmt.Sprintf("result %d", i+1), Type: t, Reason: "iterators do not pass to Starlark; return a slice"}
		}
	}
	made := gostar.NewBuiltin(name, (&bound{host: h, name: name, fn: function}).call)
	names, reason := h.with(name, made)
	if reason != "" {
		return &bind.ValueError{Place: fmt.Sprintf("name %q", name), Reason: reason}
	}
	h.cfg.Predeclared = names
	h.names = h.predeclared()
	return nil
}

// with are the predeclared names with one more, or the reason why there cannot be that.
func (h *Host) with(name string, made *gostar.Builtin) (names gostar.StringDict, reason string) {
	module, member, inModule := strings.Cut(name, ".")
	if module == "" || inModule && (member == "" || strings.Contains(member, ".")) {
		return nil, "want a name, or a module and a name with a point between them"
	}
	names = gostar.StringDict{}
	maps.Copy(names, h.cfg.Predeclared)
	switch old, isModule := names[module].(*starlarkstruct.Module); {
	case !inModule && h.names.Has(name):
		return nil, "the name is taken"
	case !inModule:
		names[name] = made
	case isModule && old.Members.Has(member):
		return nil, "the name is taken"
	case !isModule && h.names.Has(module):
		return nil, module + " is no module that functions can be bound in"
	default:
		m := &starlarkstruct.Module{Name: module, Members: gostar.StringDict{member: made}}
		if isModule {
			maps.Copy(m.Members, old.Members)
		}
		names[module] = m
	}
	return names, ""
}

// bound is a Go function that programs call by a name.
type bound struct {
	host *Host
	name string
	fn   *bind.Func
}

func (b *bound) call(star *gostar.Thread, _ *gostar.Builtin, args gostar.Tuple, kwargs []gostar.Tuple) (gostar.Value, error) {
	t := threadOf(star)
	if len(kwargs) > 0 {
		return nil, fmt.Errorf("%s: arguments pass by position, not by name", b.name)
	}
	if t == nil {
		return nil, fmt.Errorf("%s: called outside of a fiber", b.name)
	}
	values := make([]bind.Value, len(args))
	for i, v := range args {
		values[i] = fromStar(v)
	}
	call := b.fn.Invocation(&b.host.codec, b.name)
	if b.fn.TakesFunctions() {
		b.callsGuest(t, call)
	}
	if err := call.Prepare(values); err != nil {
		if refused, ok := errors.AsType[*bind.ValueError](err); ok {
			return nil, fmt.Errorf("%s: %s", b.name, refused.Text())
		}
		return nil, err
	}
	if err := t.charge(call.Steps()); err != nil {
		return nil, err
	}
	t.settle()
	if err := t.check(b.do(t, call)); err != nil {
		return nil, err
	}
	results, err := call.Results()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.name, err)
	}
	return t.results(results)
}

// results makes one value of the results of a Go function.
func (t *thread) results(list []bind.Value) (gostar.Value, error) {
	values := make(gostar.Tuple, len(list))
	for i, v := range list {
		values[i] = toStar(v)
		if err := t.charge(sizeOf(values[i]).steps()); err != nil {
			return nil, err
		}
	}
	switch len(values) {
	case 0:
		return gostar.None, nil
	case 1:
		return values[0], nil
	}
	return values, nil
}

// callsGuest lets the Go function call functions of the program.
func (b *bound) callsGuest(t *thread, call *bind.Invocation) {
	call.Pay = func(steps int64) { _ = t.charge(steps) } // a fiber that it kills ends with its next step
	call.Guest = func(fn bind.Value, args []bind.Value) ([]bind.Value, error) {
		list := make(gostar.Tuple, len(args))
		for i, v := range args {
			list[i] = toStar(v)
		}
		v, err := gostar.Call(t.star, fn.Own().(gostar.Value), list, nil)
		switch {
		case err != nil:
			return nil, err
		case v == gostar.None:
			return nil, nil
		}
		return []bind.Value{fromStar(v)}, nil
	}
}

// do calls the Go function: on a worker if it may block.
func (b *bound) do(t *thread, call *bind.Invocation) error {
	t.touch()
	ctx := t.fiber.Context()
	if !b.fn.Blocking() {
		return call.Do(ctx)
	}
	world, err := b.host.io.world()
	if err != nil {
		return err
	}
	failed, err := fiberio.Do(world, t.fiber, fiber.Never, func(context.Context) (error, error) { return call.Do(ctx), nil })
	if err != nil {
		return err
	}
	return failed
}
