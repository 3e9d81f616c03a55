package bugs

// lives are mistakes about slots, deaths and what they leave behind.
func lives() []Bug {
	const (
		cancel = "scheduler/cancel.go"
		death  = "scheduler/death.go"
		exit   = "scheduler/exit.go"
		ctx    = "scheduler/context.go"
		kill   = "scheduler/kill.go"
		slots  = "scheduler/slots.go"
	)
	return []Bug{
		{"a slot's next fiber has the last one's name", []Promise{"I5", "stale wake after slot reuse"},
			slots, "h.ref = h.ref, 0\n\th.gen++", "h.ref = h.ref, 0", lockstep(), false},
		{"a dead fiber is found by its name", []Promise{"I5", "wake to a dead, not yet reused slot"},
			slots, "h.gen != id.Generation() || h.state() == fiber.Dead", "h.gen != id.Generation()", lockstep(), false},
		{"generations begin again", []Promise{"I5", "generation wrap"},
			slots, "if h.gen == t.lives {", "if false {", tests("scheduler", "TestASlotIsRetiredAtItsLastGenerationNeverWrapped"), false},
		{"generations of native calls begin again", []Promise{"I5", "generation wrap"},
			"scheduler/trampolines.go", "if t.gen == p.lives {", "if false {", lockstep(), false},
		{"a doomed fiber is mounted to die", []Promise{"I12"},
			"scheduler/runqueue.go", "h.word&drawMask != runnable {", "h.word&stateMask != runnable {", lockstep(), false},
		{"a batch does not hear of a kill", []Promise{"I1"},
			kill, "c.run().endBatch() //", "_ = 0 //", lockstep(), false},
		{"a killed fiber waits for its frames, which it has not", []Promise{"I12"},
			kill, "h.set(reapable)", "_ = 0", lockstep(), false},
		{"a cancel does not wake", []Promise{"I9", "canceled fiber asleep forever"},
			cancel, "top.state() == fiber.Blocked && s.masks == 0", "false", lockstep(), false},
		{"a fiber is told of its cancel again and again", []Promise{"I6"},
			"scheduler/interrupt.go", ".cancel = cancelTaken\n\th.clear(cancelPending)", ".cancel = cancelTaken", lockstep(), false},
		{"a second cancel counts", []Promise{"I6"},
			cancel, "(s == nil || s.cancel == notCancelled)", "true", lockstep(), false},
		{"a cancel does not end the context", []Promise{"canceled fiber asleep forever"},
			cancel, "\t\ts.interruptContexts(h)\n\t\tc.end(", "\t\tc.end(", tests("scheduler", "TestAContextIsEndedByWhatEndsItsFiber"), false},
		{"a masked cancel ends the context", []Promise{"I6"},
			cancel, "\th.clear(cancelPending)\n", "\th.clear(cancelPending)\n\tif s.cancel == cancelRequested {\n\t\ts.endContexts(s.cause)\n\t}\n", tests("scheduler", "TestContextsEndAsTheModelSays"), false},
		{"a kill does not end the context", []Promise{"I12"},
			kill, "\ts.interruptContexts(h)\n", "", tests("scheduler", "TestContextsEndAsTheModelSays"), false},
		{"the context of a dead fiber goes on", []Promise{"I12"},
			death, "\tc.finishContexts(s, err)\n", "", tests("scheduler", "TestOutsideOfARunAContextEndsWithItsFiber"), false},
		{"a context outlives its run", []Promise{"I12"},
			ctx, "\t\tc.runContext.End(errRunEnded)\n", "", tests("scheduler", "TestAFiberOfTwoRunsHasAContextInEach"), false},
		{"a fiber that has moved forgets its context", []Promise{"I12"},
			ctx, "contexts = x", "contexts = x\n\tx.earlier = nil", tests("scheduler", "TestAFiberThatIsCancelledElsewhereEndsAllItsContexts"), false},
		{"a root leaves its calls behind", []Promise{"I4"},
			exit, "(gateMask|chained) != running {", "gateMask != running {", lockstep(), false},
		{"the dead keep their operations", []Promise{"I12"},
			death, "c.io.AbandonOwned(id)", "_ = id", lockstep(), false},
		{"the dead keep their locks", []Promise{"I12", "failed task keeping its locks"},
			"scheduler/own.go", "f.core.wakeups = hook.OwnerDied(owner, f.core.wakeups)", "_ = hook", script("killed-owner-hands-on"), false},
		{"what the dead had not claimed is lost in silence", []Promise{"I12"},
			death, "\t\tc.forfeit(h, fiber.Ticket{ID: id.ID(), Seq: h.seq})\n", "", script("dead-receiver-forfeits-its-value"), false},
		{"of two locks of a dead owner that choose one fiber, one is lost", []Promise{"I12"},
			"scheduler/refused_wakeup.go", "if c.takeBackFrom(w.From, w.Ticket) {", "if false {", tests("wait", "TestAFiberThatTwoObjectsOfOneDeadOwnerChooseGetsOneAndTheOtherGoesOn"), false},
		{"the end of a fiber is counted twice", []Promise{"I12"},
			death, "\t\tc.reg.freeExt(h)\n\t} else if h.has(operates) {", "\t\tc.reg.freeExt(h)\n\t\tc.counts.Ended++\n\t} else if h.has(operates) {", lockstep(), false},
	}
}
