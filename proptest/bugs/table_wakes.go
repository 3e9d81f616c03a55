package bugs

// wakes are mistakes about who may end a wait, and that its end is not lost.
func wakes() []Bug {
	const (
		arm     = "scheduler/arm.go"
		block   = "scheduler/block.go"
		deliver = "scheduler/deliver.go"
		header  = "scheduler/header.go"

		mistakes = "scheduler/mistakes.go"
	)
	return []Bug{
		{"a ticket of another wait is good", []Promise{"I3", "I5", "stale wake of an older wait of the same fiber"},
			deliver, "h.seq != t.Seq || !h.waits()", "!h.waits()", lockstep(), false},
		{"a spent ticket is good", []Promise{"I3", "double wake"},
			deliver, "h.seq != t.Seq || !h.waits()", "h.seq != t.Seq", lockstep(), false},
		{"a root answers for its armed callee", []Promise{"I13"},
			header, "h.word&(armed|chained) == armed", "h.has(armed)", lockstep(), false},
		{"a token is awaited by delivery too", []Promise{"I3"},
			deliver, "if h.kind() != fiber.Queue {", "if false {", lockstep(), false},
		{"a caller is woken past its callee", []Promise{"I3"},
			"scheduler/wake.go", "case h.has(onCallee):", "case false:", lockstep(), false},
		{"every other decided wake-up is forgotten", []Promise{"I9"},
			deliver, "i < len(c.wakeups); i++ {", "i < len(c.wakeups); i += 2 {", tests("scheduler", "TestWakeUpsThatFollowFromEachOtherAreAllDelivered|TestJoinersWakeInTheOrderTheyCame"), false},
		{"a latched root is parked", []Promise{"I9", "suspend committed over an earlier resume"},
			block, "c.passCurrent(requeued)\n\tc.ring.push(c.curSlot())", "c.passCurrent(parked)", script("suspend-over-earlier-resume"), false},
		{"a latched root stays where it is", []Promise{"I9"},
			block, "c.ring.push(c.curSlot())", "c.ring.pushFront(c.curSlot())", lockstep(), false},
		{"a doomed fiber blocks", []Promise{"I12"},
			block, "case c.cur.has(interrupts):", "case c.cur.has(fatal | cancelPending):", lockstep(), false},
		{"a cancelled fiber blocks", []Promise{"I9"},
			block, "case c.cur.has(interrupts):", "case c.cur.has(killPending | fatal):", lockstep(), false},
		{"an early completion is waited for", []Promise{"I9"},
			arm, "if early {", "if early && r.External {", lockstep(), false},
		{"a trampoline awaits an operation", []Promise{"I8"},
			arm, "case r.Kind == fiber.IO && h.has(tramp):", "case false:", script("trampolines-do-not-await-operations"), false},
		{"an armed callee does not show on its root", []Promise{"I13"},
			"scheduler/chain.go", "if h != c.cur && !c.cur.has(nests) {", "if false {", lockstep(), false},
		{"a fiber with a wait armed panics", []Promise{"I13"},
			"scheduler/panics.go", "if h.has(armed | latched) {\n\t\tc.refuse(op.Panic)", "if false {\n\t\tc.refuse(op.Panic)", script("no-panic-while-armed"), false},
		{"a receiver parks though a value has come", []Promise{"I9", "wake lost between try and register"},
			"wait/chan_wait.go", "if c != nil && !c.recvReady() && c.belongs(", "if c != nil && c.belongs(",
			tests("wait", "TestParkingOnAReadyChannelIsRefusedSoThatNoWakeIsLost"), false},
		{"a wake-up that the host has not applied is not reported", []Promise{"I9"},
			mistakes, "if n := f.note(h, id); n.reported != h.seq {", "if n := f.note(h, id); n.reported != h.seq && n.held != h.seq {", checked("TestAMistakeOfTheHost"), false},
		{"a wait that the host has not parked is not reported", []Promise{"I9"},
			mistakes, "h == nil || c.parksLater == id ||", "h == nil || c.parksLater != id ||", checked("TestAMistakeOfTheHost"), false},
		{"a result that the host has not claimed is not reported", []Promise{"I12"},
			mistakes, "h.has(owed) && !c.cur.has(killPending|fatal)", "h.has(owed) && c.cur.has(killPending|fatal)", checked("TestAMistakeOfTheHost"), false},
		{"a deadlock report hides that no object holds a wait", []Promise{"I9"},
			"scheduler/waitgraph_feed.go", "n.unheld = !g.core.reg.isHeld(h, n.ID)", "n.unheld = false", tests("scheduler", "TestAMistakeOfTheHost"), false},
		{"a yielder stays ahead", []Promise{"I1"},
			"scheduler/yield.go", "c.ring.push(uint32(c.curID))", "c.ring.pushFront(uint32(c.curID))", lockstep(), false},
		{"a batch leaves out who joins it", []Promise{"I1", "I9"},
			"scheduler/runqueue.go", "\tc.ring.push(uint32(id))\n}", "\tif c.drawn == lead {\n\t\tc.ring.push(uint32(id))\n\t}\n}", lockstep(), false},
	}
}
