package lib

import (
	"errors"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

func errorsNatives() map[string]Func {
	return map[string]Func{
		"errors.isComparable": func(c *Call) {
			v := c.Interface()
			w := value.Walk{Pace: c.Pace}
			_, err := c.Types.EqualInterfaces(&w, v, v)
			c.ReturnBool(err == nil)
		},
		"context.isComparable": func(c *Call) { c.ReturnBool(c.Interface().T.Comparable) },
		"sync/atomic.sameType": func(c *Call) {
			a, b := c.Interface(), c.Interface()
			c.ReturnBool(a.T == b.T)
		},
		"errors.assign": func(c *Call) { c.ReturnInt(c.assign(c.Interface(), c.Interface())) },
		"sync.fatal":    func(c *Call) { c.Then, c.Err = Fatal, errors.New(c.String()) },
		"sort.length": func(c *Call) {
			s, _ := c.anySlice()
			c.ReturnInt(s.Len)
		},
		"sort.swap": swapElements,
	}
}

// assign is errors.assign.
func (c *Call) assign(err, target value.Interface) int {
	if target.T.Kind != code.Pointer || target.R == nil {
		return 2
	}
	want, to := target.T.Elem, target.R.(*value.Object)
	switch {
	case want.Kind != code.Interface && want.Method(c.Program.ErrorMethod) == nil:
		return 3
	case want.Kind == code.Interface:
		if _, ok := err.T.Implements(want); !ok {
			return 1
		}
		to.N[0], to.N[1], to.R[0] = uint64(err.T.ID), err.W, err.R
	case want == err.T:
		err.Unpack(want, to.N, to.R)
	default:
		return 1
	}
	return 0
}

// anySlice is the next argument, an interface that holds a slice.
func (c *Call) anySlice() (Slice, *code.Type) {
	v := c.Interface()
	if v.T == nil || v.T.Kind != code.Slice {
		c.Then, c.Err = Throw, errors.New("reflect: call of Swapper on a value that is no slice")
		return Slice{}, nil
	}
	n, r := v.Parts(v.T)
	o, _ := r[0].(*value.Object)
	return Slice{o, int(n[0]), int(n[1]), int(n[2])}, v.T.Elem
}

func swapElements(c *Call) {
	s, t := c.anySlice()
	i, j := c.Int(), c.Int()
	if t == nil || i < 0 || j < 0 || i >= s.Len || j >= s.Len {
		c.Fail("slice index out of range")
		return
	}
	if !c.Effect(8*t.N + 16*t.R) {
		return
	}
	c.Progress(8*t.N + 16*t.R)
	for k := range t.N {
		a, b := (s.Off+i)*t.N+k, (s.Off+j)*t.N+k
		s.N[a], s.N[b] = s.N[b], s.N[a]
	}
	for k := range t.R {
		a, b := (s.Off+i)*t.R+k, (s.Off+j)*t.R+k
		s.R[a], s.R[b] = s.R[b], s.R[a]
	}
}
