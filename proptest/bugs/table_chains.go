package bugs

// chains are mistakes about native calls and the pumps that stand for them.
func chains() []Bug {
	const (
		acquire = "scheduler/acquire.go"
		chain   = "scheduler/chain.go"
		pins    = "scheduler/pins.go"
		pump    = "scheduler/pump.go"
	)
	return []Bug{
		{"a chain wakes without its root", []Promise{"I9"},
			chain, "passSlow(c, root, woken, t.root)\n\tc.run().join(root, fiber.NewRegularID(t.root, root.gen).ID())", "passSlow(c, root, woken, t.root)", lockstep(), false},
		{"a chain is queued twice", []Promise{"I1"},
			chain, "c.run().join(root, fiber.NewRegularID(t.root, root.gen).ID())", "c.run().join(root, fiber.NewRegularID(t.root, root.gen).ID())\n\tc.ring.push(t.root)", script("trampolines-park-as-one"), false},
		{"a caller does not know that it waits for its callee", []Promise{"I2"},
			chain, "c.cur.set(onCallee)", "_ = 0", lockstep(), false},
		{"a woken trampoline is queued", []Promise{"I4"},
			"scheduler/endwait.go", "\tif h.has(tramp) {\n\t\tc.chains().unpark(id)", "\tif false {\n\t\tc.chains().unpark(id)", script("a-woken-trampoline-is-never-queued"), false},
		{"a root forgets its own frames with its last call", []Promise{"I12"},
			chain, "if !s.native {", "if true {", lockstep(), false},
		{"a doomed fiber begins a native call", []Promise{"I12"},
			acquire, "if err := c.submitError(); err != nil {", "if err := c.submitError(); err != nil && !c.cur.has(killPending) {", lockstep(), false},
		{"a regular fiber is released", []Promise{"I4"},
			"scheduler/release.go", "|| !h.has(tramp) || h.has(armed|latched)", "|| h.has(armed|latched)", lockstep(), false},
		{"a pump comes back to another fiber", []Promise{"I2", "nested pump losing current"},
			pins, "c.cur, c.curID = p.root, p.id", "c.cur = p.root", script("pump-keeps-current"), false},
		{"a fiber is current no more when its call waits under a pump, and stays so", []Promise{"I2", "nested pump losing current"},
			pins, "\tc.pins = append(c.pins, pin{c.cur, c.curID})\n\tc.cur = c.none", "\tc.pins = append(c.pins, pin{c.cur, c.curID})", script("pump-keeps-current"), false},
		{"a pump hears nothing from outside", []Promise{"nested pump deaf to I/O or to others"},
			"scheduler/poll.go", "if c := f.core; c.inbox.pending() {", "if c := f.core; c.inbox.pending() && len(c.pins) == 0 {", script("pump-serves-all-ingress"), false},
		{"the panic of a peer ends in its pump", []Promise{"peer panic swallowed by a pump"},
			pump, "\tif value != nil {\n\t\tpanic(value)\n\t}", "", tests("scheduler", "TestAHostThatPanicsUnderAPumpLeavesTheSchedulerInOrder"), false},
		{"a call that may go on counts for nothing", []Promise{"false deadlock because only one pool was counted"},
			"scheduler/verdict.go", "goesOn || c.inbox.pending() {", "goesOn && by == 0 || c.inbox.pending() {", tests("scheduler", "TestAVerdictSaysExactlyWhatAnIdleSchedulerWaitsFor"), false},
		{"what arrives as its source closes is overlooked", []Promise{"false deadlock because only one pool was counted"},
			"scheduler/verdict.go", "\tif c.inbox.pending() {\n\t\treturn", "\tif false {\n\t\treturn", tests("scheduler", "TestInputThatArrivesAsItsSourceClosesIsNotMissed"), false},
		{"an operation of a native call counts for nothing", []Promise{"false deadlock because only one pool was counted"},
			"internal/opqueue/await.go", "s.phase = attached\n\tq.awaiting++", "s.phase = attached", tests("scheduler", "TestAVerdictSaysExactlyWhatAnIdleSchedulerWaitsFor"), false},
		{"a buried call is a plain deadlock", []Promise{"I2"},
			pins, "for i := len(c.pins) - 2; i >= 0; i-- {", "for i := len(c.pins) - 2; i > 0; i-- {", script("stack-inversion"), false},
	}
}
