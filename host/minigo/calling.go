package minigo

import (
	"context"
	"fmt"
	"iter"
	"reflect"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
)

// calling is a call of a Go function that calls functions of the program. The Go function runs on a coroutine,
// which gives way for each such call: the program makes it, and continues the coroutine with the answer.
type calling struct {
	*bound
	invocation *bind.Invocation
	ctx        context.Context
	resume     func() (int, bool) // runs the Go function until it calls a parameter, whose number is returned
	stop       func()
	ended      bool
	failed     error        // of the Go function
	args       []bind.Value // for the parameter
	answer     []bind.Value // of it
	owed       int          // steps of conversions that are not counted yet
}

// callsGuest adds the native functions of a function that takes functions.
func (b *bound) callsGuest(table map[string]lib.Func, path, name string) {
	table[path+".begin"+name] = func(c *lib.Call) { b.beginCalling(c, path+".begin"+name) }
	table[path+".next"+name] = b.nextCalling
	table[path+".results"+name] = func(c *lib.Call) {
		if k := callingOf(c); k != nil {
			b.finish(c, path+".results"+name, k.invocation, k.failed)
		}
	}
	table[path+".end"+name] = func(c *lib.Call) {
		if k := callingOf(c); k != nil {
			_ = k.Stop()
		}
	}
	for i, t := range b.fn.Params() {
		if t.Kind() == reflect.Func {
			of := fmt.Sprintf("%s%d", name, i)
			table[path+".args"+of] = func(c *lib.Call) { b.argsOf(c, path+".args"+of) }
			table[path+".answer"+of] = func(c *lib.Call) { b.answerOf(c, path+".answer"+of) }
		}
	}
}

// callingOf is the first argument; nil if the program has made it itself.
func callingOf(c *lib.Call) *calling {
	_, _, _, r := c.Windows()
	if ref, ok := r[0].(*reference[*calling]); ok {
		return ref.of
	}
	return nil
}

// beginCalling prepares a call.
func (b *bound) beginCalling(c *lib.Call, native string) {
	args, steps, err := b.arguments(c, native)
	if !c.Effect(stepBytes * steps) {
		return // it begins anew as an operation
	}
	c.SpendSteps(steps)
	for i, t := range b.fn.Params() {
		if i < len(args) && t.Kind() == reflect.Func {
			args[i] = functionValue(i, args[i].Bool())
		}
	}
	k := &calling{bound: b, invocation: b.begin(), ctx: context.Background()}
	if b.fn.TakesContext() {
		k.ctx = c.Context()
	}
	k.invocation.Pay = func(steps int64) { k.owed += int(steps) }
	if err == nil {
		err = k.invocation.Prepare(args)
	}
	if err != nil {
		k.ended, k.failed = true, fmt.Errorf("%s: %w", b.name, err)
	}
	_, _, r, _ := c.Windows()
	r[0] = refer(b.host, k)
}

// parameter is a function of the program: that of the parameter with this number.
type parameter int

func functionValue(i int, some bool) bind.Value {
	if !some {
		return bind.Value{}
	}
	return bind.OwnValue(parameter(i), "function")
}

// isFunction tells whether Go functions can call a value.
func isFunction(v any) bool {
	_, ok := v.(parameter)
	return ok
}

// nextCalling runs the Go function until it calls a parameter, and returns its number, or until its end.
func (b *bound) nextCalling(c *lib.Call) {
	n, _, _, _ := c.Windows()
	n[0] = ^uint64(0)
	k := callingOf(c)
	if k == nil || k.ended {
		return
	}
	if k.resume == nil {
		k.resume, k.stop = iter.Pull(k.run)
	}
	if at, more := k.resume(); more {
		n[0] = uint64(at)
	} else {
		k.ended = true
	}
	c.Pay(k.owed)
	k.owed = 0
}

// run is the coroutine.
func (k *calling) run(yield func(int) bool) {
	k.invocation.Guest = func(fn bind.Value, args []bind.Value) ([]bind.Value, error) {
		at := int(fn.Own().(parameter))
		t := k.fn.Params()[at]
		if last := t.NumIn() - 1; t.IsVariadic() {
			args = append(args[:last:last], bind.SequenceValue(args[last:]))
		}
		if k.args, k.answer = args, nil; !yield(at) {
			return nil, bind.Unwound{}
		}
		if last := t.NumOut() - 1; last >= 0 && t.Out(last) == reflect.TypeFor[error]() {
			return k.answer[:last], k.answer[last].Err()
		}
		return k.answer, nil
	}
	k.failed = k.invocation.Do(k.ctx)
}

// argsOf returns the arguments for a parameter.
func (b *bound) argsOf(c *lib.Call, native string) {
	k := callingOf(c)
	if k == nil {
		return
	}
	types := b.host.machine.Bound(native).Results
	e := &entering{Host: b.host}
	if err := e.results(c, types, k.args); err != nil {
		c.Raise(fmt.Errorf("%s: %w", b.name, err))
	}
	k.args = nil
}

// answerOf has the results of a parameter.
func (b *bound) answerOf(c *lib.Call, native string) {
	k := callingOf(c)
	if k == nil {
		return
	}
	answer, steps, err := b.answers(c, native)
	if err != nil {
		c.Raise(fmt.Errorf("%s: a function of the program: %w", b.name, err))
		return
	}
	k.answer = answer
	c.Pay(steps)
}

// Ended tells whether the Go function has returned.
func (k *calling) Ended() bool { return k.ended }

// Stop unwinds the Go function.
func (k *calling) Stop() error {
	k.ended = true
	if k.stop != nil {
		k.stop()
	}
	return nil
}
