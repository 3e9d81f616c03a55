package rule

import (
	"strings"

	"github.com/selvage-dev/selvage/fiber"
)

// The rules, in the order of the table in package fiber.
const (
	None fiber.Rule = iota
	I1
	I2
	I3
	I4
	I5
	I6
	I7
	I8
	I9
	I10
	I11
	I12
	I13
	OneOwner
	Executing
	CallOrder
	ValidArgument
	SameScheduler
	NestedFrames
	HookReturns
	PanicPhase
	Closed
	Observed
)

// Last is the highest rule.
const Last = Observed

// Cite is the rule as an error cites it: its name, and where to read about it.
func Cite(r fiber.Rule) string {
	return "rule " + r.String() + " (docs/invariants.md#" + strings.ToLower(r.String()) + ")"
}
