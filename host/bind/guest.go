package bind

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
)

// guestFunction is a function of the guest as a Go function: a parameter of one call.
type guestFunction struct {
	call   *Invocation
	number int // of the call
	of     Value
	typ    reflect.Type
}

// guestFailure is the panic by which the failure of a function of the guest ends the Go function.
type guestFailure struct{ err error }

// function stores a function of the guest.
func (d *decoder) function(to reflect.Value, v Value) *ValueError {
	switch {
	case v.kind == Nil:
		to.SetZero()
		return nil
	case v.kind != Own || d.call == nil || d.Function == nil || !d.Function(v.ref):
		return d.unwanted(to, v)
	}
	g := &guestFunction{d.call, d.call.number, v, to.Type()}
	to.Set(reflect.MakeFunc(to.Type(), g.do))
	return nil
}

// fails tells whether the last result is an error.
func (g *guestFunction) fails() bool {
	n := g.typ.NumOut()
	return n > 0 && g.typ.Out(n-1) == reflect.TypeFor[error]()
}

// do is the Go function.
func (g *guestFunction) do(in []reflect.Value) []reflect.Value {
	out := make([]reflect.Value, g.typ.NumOut())
	for i := range out {
		out[i] = reflect.New(g.typ.Out(i)).Elem()
	}
	err := g.misused()
	if err == nil {
		err = g.invoke(in, out)
	}
	switch {
	case err == nil:
		return out
	case errors.As(err, new(Unwound)) || !g.fails():
		panic(guestFailure{err})
	}
	out[len(out)-1].Set(reflect.ValueOf(err))
	return out
}

// misused is a call at the wrong time or place. One that has no error as a result is a panic there.
func (g *guestFunction) misused() error {
	c := g.call
	var err error
	switch {
	case c.number != g.number || c.goroutine == "":
		err = fmt.Errorf("bind: %s: a function of the guest is called after the call that it was passed to has returned; keep no such function", c.name)
	case c.goroutine != goroutine():
		err = fmt.Errorf("bind: %s: a function of the guest is called on another goroutine; call it on that of the Go function", c.name)
	default:
		return nil
	}
	if !g.fails() {
		panic(err)
	}
	return err
}

// invoke calls the function of the guest. It may have results beside an error.
func (g *guestFunction) invoke(in, out []reflect.Value) error {
	c := g.call
	args, err := g.arguments(in)
	if err != nil {
		return err
	}
	results, failed := c.Guest(g.of, args)
	if failed != nil && len(results) == 0 {
		return failed
	}
	if g.fails() {
		out = out[:len(out)-1]
	}
	if len(results) > len(out) {
		return refused("the function of the program returned %d results, want %d", len(results), len(out)).in(c.name)
	}
	d := decoder{Codec: c.codec, room: MaxValues}
	defer func() { c.Pay(int64(MaxValues - max(d.room, 0))) }()
	for i, to := range out {
		var v Value
		if i < len(results) {
			v = results[i]
		}
		if err := d.into(to, v, MaxDepth); err != nil {
			to.SetZero()
			return err.in(c.name + ": a function of the program: " + result(i))
		}
	}
	return failed
}

// arguments makes Values of the arguments, the variadic ones included.
func (g *guestFunction) arguments(in []reflect.Value) ([]Value, error) {
	if last := len(in) - 1; g.typ.IsVariadic() {
		rest := in[last]
		in = in[:last:last]
		for i := range rest.Len() {
			in = append(in, rest.Index(i))
		}
	}
	args := make([]Value, len(in))
	e := encoder{g.call.codec, MaxValues}
	for i, v := range in {
		var err *ValueError
		if args[i], err = e.value(v, MaxDepth); err != nil {
			return nil, err.in(g.call.name + ": a function of the program: " + argument(i))
		}
	}
	g.call.Pay(int64(MaxValues - e.room))
	return args, nil
}

// goroutine identifies the calling goroutine, by the first line of its trace: "goroutine 7 [running]:".
// It takes about a microsecond.
func goroutine() string {
	var line [64]byte
	text, _, _ := bytes.Cut(line[:runtime.Stack(line[:], false)], []byte(" ["))
	return string(text)
}
