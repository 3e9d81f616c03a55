package bind

import (
	"iter"
	"reflect"
	"runtime/debug"
)

// Pull is an iterator that a Go function has returned to a guest. It may have a goroutine from the first
// Next until its end: the engine calls Stop when the fiber that got it ends, at the latest. The owner
// makes all calls.
type Pull struct {
	of    reflect.Value // an iter.Seq or an iter.Seq2
	codec *Codec
	name  string
	next  func() (reflect.Value, reflect.Value, bool)
	stop  func()
	ended bool
	busy  bool // the Go function runs
}

// Next returns the next value, or pair of values, or nil at the end. Errors: *ValueError, *PanicError.
func (p *Pull) Next() (values []Value, err error) {
	if p.busy {
		return nil, refused("the iterator is called by its own function").in(p.name)
	}
	if p.ended || p.of.IsNil() {
		return nil, nil
	}
	p.begin()
	k, v, ok, err := p.step()
	if !ok || err != nil {
		p.ended = true
		return nil, err
	}
	parts := []reflect.Value{k, v}[:p.of.Type().In(0).NumIn()]
	values = make([]Value, len(parts))
	e := encoder{p.codec, MaxValues}
	for i, part := range parts {
		var refusal *ValueError
		if values[i], refusal = e.value(part, MaxDepth); refusal != nil {
			return nil, refusal.in("value ")
		}
	}
	return values, nil
}

// begin starts the iteration at the first Next: an iterator that is not used has nothing to stop.
func (p *Pull) begin() {
	if p.next != nil {
		return
	}
	if p.of.Type().CanSeq2() {
		p.next, p.stop = iter.Pull2(p.of.Seq2())
		return
	}
	next, stop := iter.Pull(p.of.Seq())
	p.next = func() (k, v reflect.Value, ok bool) {
		k, ok = next()
		return k, v, ok
	}
	p.stop = stop
}

func (p *Pull) step() (k, v reflect.Value, ok bool, err error) {
	p.busy = true
	defer p.contain(&err)
	k, v, ok = p.next()
	return k, v, ok, nil
}

// contain turns a panic of the Go function into an error.
func (p *Pull) contain(err *error) {
	p.busy = false
	if v := recover(); v != nil {
		p.ended = true
		*err = &PanicError{Function: p.name, Value: v, Stack: debug.Stack()}
	}
}

// Ended returns whether there is no next value.
func (p *Pull) Ended() bool { return p.ended || p.of.IsNil() }

// Stop ends the iteration: the Go function continues as behind a break. A second Stop does nothing. The
// error is a *PanicError.
func (p *Pull) Stop() (err error) {
	if p.ended || p.busy {
		return nil
	}
	p.ended = true
	if p.stop != nil {
		defer p.contain(&err)
		p.stop()
	}
	return nil
}
