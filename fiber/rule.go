package fiber

// Rule names one rule of the contract that docs/invariants.md states. An error that
// reports a broken contract carries the rule, so that code can test for it and a reader
// can look it up. The zero Rule names none. Only this module assigns rules.
type Rule uint8

// rules has the short name and the statement of each rule. The order is that of the
// constants in internal/rule.
var rules = [...]struct{ name, text string }{
	1:  {"I1", "The ready queue holds only Runnable regular fibers, each exactly once."},
	2:  {"I2", "The current fiber is Running and its chain is on top of its execution slot; every other Running regular fiber is pinned under a pump or lent to a worker."},
	3:  {"I3", "Wake applies only to a Blocked fiber; delivering a ticket that is not current changes nothing."},
	4:  {"I4", "A trampoline is never Runnable and never in the ready queue, and the trampolines of one fiber are strictly nested."},
	5:  {"I5", "No wake-up reaches a later fiber in the same slot or a later wait of the same fiber; generations and ticket numbers never repeat."},
	6:  {"I6", "Unwinding never changes the scheduling state; a fiber may block in a deferred call and then continue the same unwind."},
	7:  {"I7", "A trampoline hands its panic value and generation to its caller, never its unwind state."},
	8:  {"I8", "Only a regular fiber waits for an I/O token, and only for its own; a trampoline waits on a completion cell, and its root fiber owns the token."},
	9:  {"I9", "No wake-up is lost: a fiber whose ticket was latched or delivered runs again."},
	10: {"I10", "When a wait ends, no registration of it stays live anywhere."},
	11: {"I11", "An object serves equal waiters in arrival order and assigns the value when it matches them."},
	12: {"I12", "Every fiber, token, assigned value and lock is accounted for, and ends exactly once."},
	13: {"I13", "While a context has a wait armed, it may only block or disarm: it does not panic, recover, yield, exit, or acquire or release a trampoline."},
	14: {"ONE-OWNER", "One goroutine owns a scheduler, and no operation begins inside another: Sources, hooks and observers never call the scheduler."},
	15: {"EXECUTING", "An operation of a fiber is called by the code that executes on that fiber."},
	16: {"CALL-ORDER", "An operation is called only in the states that its documentation allows."},
	17: {"VALID-ARGUMENT", "An argument is not nil, not an undefined constant, and in its documented range."},
	18: {"SAME-SCHEDULER", "A fiber, source, ticket or token is used only with the scheduler, runtime or system that it belongs to."},
	19: {"NESTED-FRAMES", "While native frames stand on the driving stack, their fiber does not yield or end its slice, and no outer loop starts."},
	20: {"HOOK-RETURNS", "Sources and hooks of the host return; they never panic."},
	21: {"PANIC-PHASE", "A panic machine is asked only for a step that its phase allows."},
	22: {"CLOSED", "An object that is closed, or has served its single use, is not used again."},
	23: {"OBSERVED", "An observer is called for every transition, once and in order."},
}

// String is the short name, such as "I8" or "ONE-OWNER".
func (r Rule) String() string {
	if r == 0 || int(r) >= len(rules) {
		return "invalid rule"
	}
	return rules[r].name
}

// Text states the rule in one sentence. It is empty for an invalid rule.
func (r Rule) Text() string {
	if int(r) >= len(rules) {
		return ""
	}
	return rules[r].text
}
