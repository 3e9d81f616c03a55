// Package atomic is minigo's subset of Go's. Each function is atomic: a goroutine is preempted
// only at a call, at a backward jump, where it waits, and, in an explored program, at a point.
package atomic

// point is where the schedule may change while it is explored; otherwise it is nothing.
func point()

type Bool struct{ v bool }

func (x *Bool) Load() bool {
	point()
	return x.v
}

func (x *Bool) Store(val bool) {
	point()
	x.v = val
}

func (x *Bool) Swap(new bool) (old bool) {
	point()
	old = x.v
	x.v = new
	return old
}

func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	point()
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

type Value struct{ v any }

func sameType(x, y any) bool

func (v *Value) Load() (val any) {
	point()
	return v.v
}

func (v *Value) Store(val any) {
	point()
	if val == nil {
		panic("sync/atomic: store of nil value into Value")
	}
	if v.v != nil && !sameType(v.v, val) {
		panic("sync/atomic: store of inconsistently typed value into Value")
	}
	v.v = val
}

func (v *Value) Swap(new any) (old any) {
	point()
	switch {
	case new == nil:
		panic("sync/atomic: swap of nil value into Value")
	case v.v != nil && !sameType(v.v, new):
		panic("sync/atomic: swap of inconsistently typed value into Value")
	}
	old = v.v
	v.v = new
	return old
}

func (v *Value) CompareAndSwap(old, new any) (swapped bool) {
	point()
	switch {
	case new == nil:
		panic("sync/atomic: compare and swap of nil value into Value")
	case old != nil && !sameType(old, new):
		panic("sync/atomic: compare and swap of inconsistently typed values")
	case v.v != nil && !sameType(v.v, new):
		panic("sync/atomic: compare and swap of inconsistently typed value into Value")
	case v.v != old:
		return false
	}
	v.v = new
	return true
}
