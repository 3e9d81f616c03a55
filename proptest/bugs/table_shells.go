package bugs

// shells are mistakes in the loop, the timers and the packages around the scheduler.
func shells() []Bug {
	const async = "actor/async.go"
	return []Bug{
		{"of equal deadlines the last comes first", []Promise{"equal deadlines out of order"},
			"internal/wheel/run.go", "i > r.head && r.entries[i-1].Deadline > e.Deadline; i--", "i > r.head && r.entries[i-1].Deadline >= e.Deadline; i--", tests("scheduler", "TestEqualDeadlinesFireInTheOrderOfTheirRegistration|TestScripts/equal-deadlines"), false},
		{"a timer that is due tells nobody", []Promise{"timer notify lost"},
			"scheduler/alarms.go", "c.wakeups = a.Due(c.now, c.wakeups)", "a.Due(c.now, nil)", tests("scheduler", "TestAnAlarmWakesFibersInTheOrderItReturns"), false},
		{"commands are carried out when nothing else is to do", []Promise{"I/O starved by a spinning fiber"},
			"scheduler/poll.go", "if c := f.core; c.inbox.pending() {", "if c := f.core; c.inbox.pending() && c.ring.len() == 0 {", script("io-not-starved-by-a-spinner"), false},
		{"an idle loop looks again at once", []Promise{"idle loop polling"},
			"scheduler/verdict.go", "return c.timers.next(), true", "return c.Now(), true", script("idle-does-not-poll"), false},
		{"work that exits takes its worker along", []Promise{"worker slot leaked"},
			"blocking/workers.go", "\t\t\tgo p.work(r, false) // in this worker's place: alive does not change\n", "", tests("blocking", "TestTheOutcomeOfWorkIsTheWaitingFibersResult"), true},
		{"a cancel ends the context of whatever has the slot now", []Promise{"number reused under a pending operation"},
			"blocking/batch.go", "b != nil && b.jobs[at%batchSize].tok == tok", "b != nil", tests("blocking", "TestTheNextUserOfATokenSlotDoesNotCancelTheWorkOfTheLast"), false},
		{"the panic of a handler ends the turn", []Promise{"actor handler panic wedging the loop"},
			"actor/turn.go", "\tdefer s.contain()\n", "", tests("actor", "TestAPanicFailsItsActorWithTheStackAndNothingElse"), false},
		{"an actor that has panicked is not failed", []Promise{"actor handler panic wedging the loop"},
			"actor/contain.go", "\t\ts.fail(a, err)\n", "\t\t_ = a\n", tests("actor", "TestAPanicFailsItsActorWithTheStackAndNothingElse"), false},
		{"an actor whose code has returned lives on", []Promise{"async actor that returns never reaped"},
			async, "cx.over = true\n\tif cx.dead {", "cx.over = true\n\tif cx.dead || !failed {", tests("actor/goactor", "TestAnAsynchronousActorThatReturnsIsReaped"), false},
		{"a killed actor keeps its inbox", []Promise{"killed actor still reading its inbox"},
			async, "if status != wait.Received {", "if status != 99 {", tests("actor/goactor", "TestAKilledActorReadsNothingMore"), false},
		{"a message on its way to a reader stays there when the actor ends", []Promise{"killed actor still reading its inbox"},
			async, "\tcx.inbox.Source().(assigner).ForfeitAll()\n", "", tests("actor/goactor", "TestDeadLettersOfOneInboxComeOldestFirst"), false},
	}
}
