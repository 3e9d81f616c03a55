package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/trampoline"
)

// sorting is the native sort, by insertion with binary search. All of its state is here, in place
// of the frames of a Go function, so it can be left in each comparison and entered again.
type sorting struct {
	list      list // sorted up to next
	next      int  // the element to insert
	low, high int  // its place is from low to high
	compare   *function
	callee    *execution
	call      trampoline.Reentry[*task] // the comparison under way
}

// maxDepth bounds the sorts in comparisons of sorts: each entry goes through all of them.
const maxDepth = 100

// sort begins native code; Step enters it.
func (c *execution) sort(l list, compare *function) (value, error) {
	if c.depth == maxDepth {
		return nil, errors.New("sorts are nested too deeply")
	}
	c.native = &sorting{list: slices.Clone(l), compare: compare}
	return nil, nil
}

// enter enters the sort, at first and after each exit. The comparison is guest code in an execution
// of its own. If it waits, or the slice is used up in it, its outcome is the exit code of the sort,
// which goes to the scheduler; the call stays in flight, and the next entry runs it on.
func (s *sorting) enter(c *execution) (out fiber.Outcome, err error) {
	for s.search() {
		if !s.call.InFlight() {
			if s.call, err = c.vm.calls.Reenter(); err != nil {
				return out, err // too many calls
			}
			s.callee = c.vm.execution(s.compare, s.list[s.next], s.list[s.middle()])
			s.callee.depth = c.depth + 1
		}
		if out, err = s.call.Run(s.callee); err != nil || !out.Ends() {
			return out, err
		}
		if err = s.compared(s.callee.result); err != nil {
			return out, err
		}
	}
	c.native = nil
	c.store(s.list)
	return fiber.Outcome{}, nil
}

// search inserts the elements whose place is known. False: all are.
func (s *sorting) search() bool {
	for s.next < len(s.list) && s.low == s.high {
		e := s.list[s.next]
		s.list = slices.Insert(slices.Delete(s.list, s.next, s.next+1), s.low, e)
		s.next++
		s.low, s.high = 0, s.next
	}
	return s.next < len(s.list)
}

func (s *sorting) middle() int { return (s.low + s.high) / 2 }

// compared goes on with the search. A number below 0: the element comes before the middle.
func (s *sorting) compared(order value) error {
	switch n, ok := order.(int); {
	case !ok:
		return fmt.Errorf("the comparison gives %v, want a number", order)
	case n < 0:
		s.high = s.middle()
	default:
		s.low = s.middle() + 1
	}
	return nil
}
