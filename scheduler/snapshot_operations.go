package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/opqueue"
)

// OperationState is an asynchronous operation that has not ended.
type OperationState struct {
	Token fiber.Token
	Owner fiber.RegularID // that has submitted it; 0 if it is abandoned
	// State is "submitted", and no fiber awaits it; "awaited", by its owner or a native call of that;
	// "complete", and its result is not collected; or "abandoned", and its device has not completed it.
	State string
	// What it is, as Ops.Describe was told: "read", and of what; "" if nothing was told.
	What, Of string
}

var operationStates = [...]string{
	opqueue.Submitted: "submitted", opqueue.Awaited: "awaited", opqueue.Completed: "complete", opqueue.Abandoned: "abandoned",
}

// Operations appends to memory[:0] all operations that have not ended, in the order of their slots
// (ioqueue.SlotOf). It changes nothing, and allocates nothing if the memory of an earlier call has room.
// It takes time in proportion to the most operations that there were at once.
func (f Inspect) Operations(memory []OperationState) []OperationState {
	c := f.core
	c.enter(op.Idle)
	defer c.leave()
	all := memory[:0]
	for o := range c.io.All() {
		text := c.described.at(o.Token)
		all = append(all, OperationState{
			Token: o.Token, Owner: o.Owner, State: operationStates[o.Stage], What: text.what, Of: text.of,
		})
	}
	clear(all[len(all):cap(all)]) // texts of an earlier call are not kept alive
	return all
}

// Describe says what an operation is, for reports: what it does ("read"), and to what ("a.txt", which may
// be ""). The texts are kept until another token in its slot is described. A token that has ended is
// ignored. It costs a few stores, and memory for the most operations at once.
func (f Ops) Describe(tok fiber.Token, what, of string) {
	if invariants.On {
		f.core.checkOwner(op.Submit)
	}
	if f.core.io.Owner(tok) != 0 {
		f.core.described.set(operationText{tok, what, of})
	}
}
