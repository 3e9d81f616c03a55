package bind

import (
	"context"
	"reflect"
	"runtime/debug"
)

// Invocation is one call of a Func by a guest. The engine makes it in three steps: Prepare on the owner, Do on
// the owner or, if the Func is blocking, on another goroutine, and Results on the owner.
type Invocation struct {
	of      *Func
	codec   *Codec
	name    string
	in      []reflect.Value // with room for the context
	results []reflect.Value
}

// Prepare converts the arguments of a guest. Name is that by which the guest called. The error is a
// *ValueError.
func (f *Func) Prepare(c *Codec, name string, args []Value) (Invocation, error) {
	call := Invocation{of: f, codec: c, name: name}
	frame, first := reflect.New(f.frame).Elem(), 0
	if f.context {
		first = 1
	}
	call.in = make([]reflect.Value, first, first+max(len(f.params), len(args)))
	d := decoder{c, MaxValues}
	for i, p := range f.params {
		if f.variadic && i == len(f.params)-1 {
			break
		}
		to := frame.Field(i)
		switch {
		case i < len(args):
			if err := d.into(to, args[i], MaxDepth); err != nil {
				return Invocation{}, err.in(argument(i))
			}
		case !isOptional(p):
			return Invocation{}, refused("want %s, got nothing", d.want(p)).in(argument(i))
		}
		call.in = append(call.in, to)
	}
	return call, call.addRest(&d, args[min(len(args), len(call.in)-first):])
}

// addRest adds the arguments of a variadic parameter. Another function takes none.
func (c *Invocation) addRest(d *decoder, rest []Value) error {
	n := len(c.of.params)
	if !c.of.variadic {
		if len(rest) > 0 {
			return refused("want %d arguments at most, got %d", n, n+len(rest)).in(argument(n))
		}
		return nil
	}
	for i, v := range rest {
		to := reflect.New(c.of.params[n-1].Elem()).Elem()
		if err := d.into(to, v, MaxDepth); err != nil {
			return err.in(argument(n - 1 + i))
		}
		c.in = append(c.in, to)
	}
	return nil
}

// isOptional returns whether nil is a value of a type: the argument may be absent.
func isOptional(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface:
		return true
	}
	return false
}

// Do calls the Go function. The error is what the function returned, or a *PanicError.
func (c *Invocation) Do(ctx context.Context) (err error) {
	defer func() {
		if v := recover(); v != nil { // nil, too, if the goroutine ends by runtime.Goexit
			err = &PanicError{Function: c.name, Value: v, Stack: debug.Stack()}
		}
	}()
	if c.of.context {
		c.in[0] = reflect.ValueOf(ctx)
	}
	c.results = c.of.value.Call(c.in)
	if c.of.fails {
		last := len(c.results) - 1
		err, _ = c.results[last].Interface().(error)
		c.results = c.results[:last]
	}
	return err
}

// Results converts the results. An engine that has no iterators refuses the Func when it is bound. The
// error is a *ValueError.
func (c *Invocation) Results() ([]Value, error) {
	values := make([]Value, len(c.results))
	e := encoder{c.codec, MaxValues}
	for i, v := range c.results {
		if isSeq(v.Type()) {
			values[i] = Value{kind: Iterator, ref: &Pull{of: v, codec: c.codec, name: c.name}}
			continue
		}
		var err *ValueError
		if values[i], err = e.value(v, MaxDepth); err != nil {
			return nil, err.in(result(i))
		}
	}
	return values, nil
}
