package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
)

// given refuses a call without an argument that it needs, before the call changes anything.
func (rt *Runtime) given(call string, is bool, what string) {
	if !is {
		panic(rt.refusal(call, rule.ValidArgument, "nil is not "+what+": pass one"))
	}
}

// refusal is the refusal of a call that breaks a rule. Without a runtime no fiber is known.
func (rt *Runtime) refusal(call string, r fiber.Rule, fix string) *scheduler.ContractError {
	if rt == nil {
		return &scheduler.ContractError{Rule: r, Fix: call + ": " + fix}
	}
	return rt.sched.Inspect().ContractError("stackful: "+call, r, fix)
}
