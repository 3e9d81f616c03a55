package proptest

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/spec"
)

// Failure is a list of actions that ends in a difference between scheduler and model.
type Failure struct {
	Bounds  spec.Config
	Actions []spec.Action
	Err     error
}

// Error is the difference and the whole list, one action a line.
func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v\nwithin %+v, the %d actions\n", f.Err, f.Bounds, len(f.Actions))
	for _, a := range f.Actions {
		fmt.Fprintf(&b, "\t%v\n", a)
	}
	return b.String()
}

// Unwrap is the difference.
func (f *Failure) Unwrap() error { return f.Err }
