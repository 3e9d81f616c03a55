package main

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

// sort is native code: Go's sort, whose frames are on a Go stack while the comparison, a word of
// the program, executes and may wait.
func (c *code) sort(n int, comparison *word) error {
	values, err := c.pop(n)
	if err != nil {
		return err
	}
	values = slices.Clone(values)
	native := func() (out fiber.Outcome) {
		var failed error
		slices.SortStableFunc(values, func(a, b value) (order int) {
			if failed == nil {
				order, failed = c.compare(comparison, a, b)
			}
			return order
		})
		if failed != nil {
			return c.vm.Unwind().Fail(failed, c.site())
		}
		c.data = append(c.data, values...)
		return out // the code continues behind the word
	}
	if c.vm.nest {
		c.out = native() // on the stack that drives the scheduler
	} else {
		c.out = c.vm.native.Run(native) // on a stack that parks
	}
	return nil
}

func (c *code) compare(comparison *word, a, b value) (order int, err error) {
	callee := c.vm.call(comparison, a, b)
	if c.vm.nest {
		err = c.vm.native.Calls().Nest(callee)
	} else {
		err = c.vm.native.Call(callee)
	}
	if err != nil {
		return 0, err // the comparison has failed, or is cancelled
	}
	return number(callee.top())
}
