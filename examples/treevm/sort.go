package main

import (
	"fmt"
	"slices"
)

// sort is native code whose comparison is the guest's: a number below 0 says that a comes before
// b. The comparison may wait: the sort of the standard library then stands on the fiber's stack,
// with all its frames, until the comparison continues. When one has failed, or the fiber was
// cancelled or killed in it, the sort compares no more.
func (t *task) sort(values list, compare value) (value, error) {
	sorted, err := slices.Clone(values), error(nil)
	slices.SortStableFunc(sorted, func(a, b value) int {
		if err != nil {
			return 0
		}
		var v value
		if v, err = t.apply(compare, []value{a, b}); err != nil {
			return 0
		}
		order, ok := v.(int)
		if !ok {
			err = fmt.Errorf("the comparison gives a %s, want a number", kind(v))
		}
		return order
	})
	return sorted, err
}
