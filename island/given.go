package island

import (
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
)

// given refuses a call without an argument that it needs.
func given(call string, there bool, what string) {
	if !there {
		panic(&scheduler.ContractError{Rule: rule.ValidArgument, Op: op.Note, Fix: call + " was given nil: pass " + what})
	}
}
