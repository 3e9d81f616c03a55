package minigo

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
)

// Bind replaces a Go function of the Library that the program was compiled with, for this Host. Both have one
// type, such as two methods of different values. The owner calls it before the program runs. The error is a
// *bind.ValueError for a name that the Library does not have, and a *bind.TypeError for another type.
func (h *Host) Bind(name string, function *bind.Func) error {
	b := h.bound[name]
	if b == nil {
		return &bind.ValueError{Place: fmt.Sprintf("name %q", name), Reason: "the program was compiled without it; bind it to the Library before"}
	}
	if have, want := function.Type(), b.fn.Type(); have != want {
		return &bind.TypeError{Function: function.Name(), Type: have, Reason: fmt.Sprintf("the program was compiled with %s as %v, got %v", name, want, have)}
	}
	b.fn, b.idle = function, nil
	return nil
}

// natives makes native functions of those of a Library.
func (h *Host) natives(functions []*boundFunction) map[string]lib.Func {
	table := make(map[string]lib.Func, 2*len(functions))
	for _, f := range functions {
		b := &bound{host: h, name: f.full(), fn: f.fn}
		h.bound[b.name] = b
		for _, native := range []string{b.name, f.path + ".call" + f.name} {
			table[native] = func(c *lib.Call) { b.call(c, native) }
		}
		if f.fn.TakesFunctions() {
			b.callsGuest(table, f.path, f.name)
		}
		for i, t := range f.fn.Results() {
			if isSeq(t) {
				native := fmt.Sprintf("%s.next%s%d", f.path, f.name, i)
				table[native] = func(c *lib.Call) { h.next(c, native) }
			}
		}
	}
	return table
}

// bound is a Go function that programs call by a name.
type bound struct {
	host *Host
	name string
	fn   *bind.Func
	idle *bind.Invocation // for the next call; nil while one executes
}

// begin returns an Invocation, a new one if the function is called while it executes.
func (b *bound) begin() *bind.Invocation {
	if call := b.idle; call != nil {
		b.idle = nil
		return call
	}
	return b.fn.Invocation(&b.host.codec, b.name)
}

// call calls the function for a program.
func (b *bound) call(c *lib.Call, native string) {
	args, steps, err := b.arguments(c, native)
	if !c.Effect(stepBytes * steps) {
		return // it begins anew as an operation
	}
	c.SpendSteps(steps)
	call := b.begin()
	if err == nil {
		err = call.Prepare(args)
	}
	if err != nil {
		b.finish(c, native, call, fmt.Errorf("%s: %w", b.name, err))
		return
	}
	ctx := context.Background()
	if b.fn.TakesContext() {
		ctx = c.Context()
	}
	if b.fn.Blocking() && !b.host.virtual {
		(&away{bound: b, native: native, invocation: call, ctx: ctx}).submit(c)
		return
	}
	b.finish(c, native, call, call.Do(ctx))
}

// stepBytes is the work of a step.
const stepBytes = 256

// arguments makes Values of the arguments, and counts them.
func (b *bound) arguments(c *lib.Call, native string) (args []bind.Value, steps int, err error) {
	_, n, _, r := c.Windows()
	l := &leaving{Host: b.host, room: bind.MaxValues}
	if args, err = l.all(b.host.machine.Bound(native).Params, n, r, "argument"); err != nil {
		return nil, l.steps(), err
	}
	if last := len(args) - 1; b.fn.Variadic() {
		args = append(args[:last], spread(args[last])...)
	}
	return args, l.steps(), nil
}

// answers makes Values of the results of a function of the program, which are arguments behind the first.
func (b *bound) answers(c *lib.Call, native string) (results []bind.Value, steps int, err error) {
	_, n, _, r := c.Windows()
	l := &leaving{Host: b.host, room: bind.MaxValues}
	results, err = l.all(b.host.machine.Bound(native).Params[1:], n, r[1:], "result")
	return results, l.steps(), err
}

// all makes Values of registers.
func (l *leaving) all(types []*code.Type, n []uint64, r []any, place string) (values []bind.Value, err error) {
	for i, t := range types {
		v, refusal := l.value(t, n[:t.N], r[:t.R], 0)
		if refusal != nil {
			refusal.Place = fmt.Sprintf("%s %d%s", place, i+1, refusal.Place)
			return nil, refusal
		}
		values, n, r = append(values, v), n[t.N:], r[t.R:]
	}
	return values, nil
}

// steps are the work of the conversion so far.
func (l *leaving) steps() int { return bind.MaxValues - max(l.room, 0) + l.octets/stepBytes }

// spread are the arguments in a variadic parameter.
func spread(v bind.Value) (args []bind.Value) {
	if v.Kind() != bind.Text {
		return v.Items()
	}
	for _, octet := range []byte(v.Text()) {
		args = append(args, bind.IntValue(int64(octet)))
	}
	return args
}

// finish returns what the Go function has returned: its results, also beside an error.
func (b *bound) finish(c *lib.Call, native string, call *bind.Invocation, err error) {
	values, refusal := call.Results()
	if err == nil && refusal != nil {
		err = fmt.Errorf("%s: %w", b.name, refusal)
	}
	types := b.host.machine.Bound(native).Results
	e := &entering{Host: b.host}
	if refusal := e.results(c, types[:len(values)], values); err == nil && refusal != nil {
		err = fmt.Errorf("%s: %w", b.name, refusal)
	}
	call.Release()
	b.idle = call
	if c.Pay(e.steps); err != nil {
		b.fail(c, native, err)
	}
}

// results returns values to the program. Other results are zero.
func (e *entering) results(c *lib.Call, types []*code.Type, values []bind.Value) error {
	n, _, r, _ := c.Windows()
	clear(n)
	clear(r)
	for i, t := range types {
		if err := e.value(t, values[i], n[:t.N], r[:t.R], 0); err != nil {
			clear(n)
			clear(r)
			err.Place = fmt.Sprintf("result %d%s", i+1, err.Place)
			return err
		}
		n, r = n[t.N:], r[t.R:]
	}
	return nil
}

// fail returns an error to the program if the function has one as a result, and raises it otherwise, as it
// does with a panic of the function.
func (b *bound) fail(c *lib.Call, native string, err error) {
	if _, panicked := err.(*bind.PanicError); panicked || !b.fn.Fails() {
		c.Raise(err)
		return
	}
	n, _, r, _ := c.Windows()
	e := &entering{Host: b.host}
	types := b.host.machine.Bound(native).Results
	last := types[len(types)-1]
	if refusal := e.any(last, bind.FailureValue(err), n[len(n)-last.N:], r[len(r)-last.R:], 0); refusal != nil {
		c.Raise(err)
	}
}
