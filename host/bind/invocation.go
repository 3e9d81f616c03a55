package bind

import (
	"context"
	"reflect"
	"runtime/debug"
)

// Invocation calls a Func for an engine, one call at a time; it is made once and used again. A call has
// three steps: Prepare on the owner, Do on the owner or, if the Func is blocking, on another goroutine,
// and Results on the owner, if Do has returned nil.
type Invocation struct {
	of      *Func
	codec   *Codec
	name    string
	frame   reflect.Value   // the parameters
	in      []reflect.Value // the arguments, from the context on
	steps   int64
	results []reflect.Value
	values  []Value
	// Guest calls a function of the guest for the Go function: on the goroutine of Do, while that executes.
	// The engine sets it before Prepare of a Func that TakesFunctions. The error of the guest's function
	// keeps its identity; there may be results beside it. An Unwound ends the Go function without being
	// its result.
	Guest func(function Value, args []Value) ([]Value, error)
	// Pay counts the work of converting what is passed to Guest, and then its results, as Steps.
	Pay func(steps int64)

	number    int    // of the calls so far
	goroutine string // that executes Do; "" while none does
}

// Unwound is an error of Invocation.Guest that unwinds the Go function, because its fiber does.
type Unwound struct{}

// Error is a text for the host.
func (Unwound) Error() string { return "bind: the call was unwound" }

// Invocation makes an Invocation. Name is that by which guests call.
func (f *Func) Invocation(c *Codec, name string) *Invocation {
	return &Invocation{of: f, codec: c, name: name, frame: reflect.New(f.frame).Elem()}
}

// Prepare converts the arguments of a guest. The error is a *ValueError.
func (c *Invocation) Prepare(args []Value) error {
	c.number++
	f, first := c.of, 0
	if f.context {
		first = 1
	}
	c.in = append(c.in[:0], make([]reflect.Value, first)...)
	d := decoder{Codec: c.codec, room: MaxValues, call: c}
	for i, p := range f.params {
		if f.variadic && i == len(f.params)-1 {
			break
		}
		to := c.frame.Field(i)
		switch {
		case i < len(args):
			if err := d.into(to, args[i], MaxDepth); err != nil {
				return err.in(argument(i))
			}
		case isOptional(p):
			to.SetZero()
		default:
			return refused("want %s, got nothing", d.want(p)).in(argument(i))
		}
		c.in = append(c.in, to)
	}
	err := c.addRest(&d, args[min(len(args), len(c.in)-first):])
	c.steps = int64(MaxValues - d.room)
	return err
}

// Steps is the work of converting the arguments, which an engine that counts instructions charges: one
// for each value.
func (c *Invocation) Steps() int64 { return c.steps }

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
	case reflect.Pointer, reflect.Interface, reflect.Func:
		return true
	}
	return false
}

// Do calls the Go function. The error is what the function returned, what a function of the guest has ended
// it with, or a *PanicError.
func (c *Invocation) Do(ctx context.Context) (err error) {
	if c.of.calls {
		c.goroutine = goroutine()
	}
	defer func() {
		c.goroutine = ""
		switch v := recover().(type) { // nil, too, if the goroutine ends by runtime.Goexit
		case nil:
		case guestFailure:
			err = v.err
		default:
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

// Results converts the results; the slice is good until Release. An engine that has
// no iterators refuses the Func when it is bound. The error is a *ValueError.
func (c *Invocation) Results() ([]Value, error) {
	values := c.values[:0]
	e := encoder{c.codec, MaxValues}
	for i, v := range c.results {
		if isSeq(v.Type()) {
			values = append(values, Value{kind: Iterator, ref: &Pull{of: v, codec: c.codec, name: c.name}})
			continue
		}
		made, err := e.value(v, MaxDepth)
		if err != nil {
			return nil, err.in(result(i))
		}
		values = append(values, made)
	}
	c.values = values
	return values, nil
}

// Release drops what the call held, so that the Invocation can wait for the next one.
func (c *Invocation) Release() {
	clear(c.in)
	clear(c.values)
	c.results = nil
	for i, t := range c.of.params {
		if hasPointers(t) {
			c.frame.Field(i).SetZero()
		}
	}
}

// hasPointers returns whether a variable of a type may refer to other memory.
func hasPointers(t reflect.Type) bool { return t.Kind() > reflect.Complex128 }
