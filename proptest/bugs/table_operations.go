package bugs

// operations are mistakes about tokens and completions.
func operations() []Bug {
	const (
		tokens  = "scheduler/tokens.go"
		await   = "ioqueue/await.go"
		abandon = "ioqueue/abandon.go"
		done    = "ioqueue/complete.go"
		token   = "ioqueue/token.go"
	)
	return []Bug{
		{"a wait that is taken back gives its token up", []Promise{"I12"},
			tokens, "c.mustToken(c.io.Unawait(s.token))", "c.mustToken(c.io.Abandon(s.token))", lockstep(), false},
		{"a wait that is ended keeps its token", []Promise{"I10", "I12"},
			tokens, "c.mustToken(c.io.Abandon(s.token))", "c.mustToken(c.io.Unawait(s.token))", lockstep(), false},
		{"a doomed fiber submits", []Promise{"I12"},
			tokens, "case c.cur.has(doomed):", "case false:", lockstep(), false},
		{"a token is awaited by anybody", []Promise{"I8"},
			await, "if s.owner.ID() != ticket.ID {", "if false {", lockstep(), false},
		{"a completion before the await is waited for", []Promise{"I9", "I/O completing before the park"},
			await, "\tif s.phase == done {\n\t\ts.phase = ready\n\t\treturn true, nil\n\t}\n\ts.phase, s.ticket = awaited, ticket",
			"\ts.phase, s.ticket = awaited, ticket", script("io-completes-before-park"), false},
		{"a result nobody collects is dropped in silence", []Promise{"I12"},
			abandon, "q.drop(t, c)", "_, _ = t, c", lockstep(), false},
		{"an abandoned operation is not cancelled", []Promise{"I12"},
			abandon, "q.push(&q.cancel, i)", "_ = 0", lockstep(), false},
		{"a completion in time is late", []Promise{"I12"},
			done, "if s.phase == inFlight {", "if s.phase == inFlight || s.phase == awaited {", lockstep(), false},
		{"a completion that comes after the cancel counts", []Promise{"I12", "late completion after cancel"},
			done, "case ok && (s.phase == cancelDue || s.phase == orphan):", "case false:", script("late-completion-after-cancel"), false},
		{"a completion is for whoever has the slot now", []Promise{"I5", "number reused under a pending operation"},
			token, "count == 0 || s.count != count || s.phase", "count == 0 || s.count < count || s.phase", tests("ioqueue", "TestALateCompletionDoesNotReachTheNextUserOfTheSlot"), false},
	}
}
