package bugs

// operations are mistakes about tokens and completions.
func operations() []Bug {
	const (
		waits   = "scheduler/endwait.go"
		submit  = "scheduler/submit.go"
		await   = "internal/opqueue/await.go"
		abandon = "internal/opqueue/abandon.go"
		done    = "internal/opqueue/complete.go"
		token   = "internal/opqueue/token.go"
	)
	return []Bug{
		{"a wait that is taken back gives its token up", []Promise{"I12"},
			waits, "f.must(c.io.Unawait(tok))", "f.must(c.io.Abandon(tok))", lockstep(), false},
		{"a wait that is ended keeps its token", []Promise{"I10", "I12"},
			waits, "f.must(c.io.Abandon(tok))", "f.must(c.io.Unawait(tok))", lockstep(), false},
		{"a doomed fiber submits", []Promise{"I12"},
			submit, "case c.cur.has(killPending):", "case false:", lockstep(), false},
		{"a token is awaited by anybody", []Promise{"I8"},
			await, "if s.owner.ID() != ticket.ID {", "if false {", lockstep(), false},
		{"a completion before the await is waited for", []Promise{"I9", "I/O completing before the park"},
			await, "\tif s.phase == done {\n\t\ts.phase = ready\n\t\treturn true, nil\n\t}\n\ts.phase, s.wait = awaited, ticket.Seq",
			"\ts.phase, s.wait = awaited, ticket.Seq", script("io-completes-before-park"), false},
		{"a result nobody collects is dropped in silence", []Promise{"I12"},
			abandon, "q.drop(t, c)", "_, _ = t, c", lockstep(), false},
		{"an abandoned operation is not cancelled", []Promise{"I12"},
			abandon, "q.push(&q.cancel, i, s)", "_ = 0", lockstep(), false},
		{"a completion in time is late", []Promise{"I12"},
			done, "if s.phase == inFlight {", "if s.phase == inFlight || s.phase == awaited {", lockstep(), false},
		{"a completion that comes after the cancel counts", []Promise{"I12", "late completion after cancel"},
			done, "case s != nil && (s.phase == cancelDue || s.phase == orphan):", "case false:", script("late-completion-after-cancel"), false},
		{"a completion is for whoever has the slot now", []Promise{"I5", "number reused under a pending operation"},
			token, "s.name != t || s.phase", "ioqueue.SlotOf(s.name) != ioqueue.SlotOf(t) || s.phase", tests("internal/opqueue", "TestALateCompletionDoesNotReachTheNextUserOfTheSlot"), false},
		{"a doomed fiber that has submitted before submits", []Promise{"I12"},
			"scheduler/fastpath.go", "stateMask | killPending | fatal", "stateMask | fatal", lockstep(), false},
		{"a token is awaited by anybody, in one step with the block", []Promise{"I8"},
			await, " || s.owner.ID() != ticket.ID {\n\t\treturn false\n", " {\n\t\treturn false\n",
			tests("scheduler", "TestATokenIsAwaitedOnceByTheFiberThatSubmittedIt"), false},
		{"who is cancelled waits for an operation all the same", []Promise{"I9"},
			"scheduler/fastpath.go", "blockForMask = armMask | interrupts", "blockForMask = armMask | killPending | fatal", lockstep(), false},
		{"the deadline of a wait outlives the operation", []Promise{"I10"},
			"scheduler/fastpath.go", "external | timed | owed", "external | owed", lockstep(), false},
	}
}
