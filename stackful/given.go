package stackful

import (
	"strings"

	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/wait"
)

// given refuses a call without an argument that it needs, before the call changes anything.
func given(call string, is bool, what string) {
	if !is {
		panic(&wait.ContractError{Rule: rule.ValidArgument, Op: strings.ToLower(call), Object: "nil",
			Fix: "it is not " + what + ": pass one"})
	}
}
