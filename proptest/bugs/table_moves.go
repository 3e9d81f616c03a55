package bugs

// moves are mistakes on the way of a fiber from one scheduler to another.
func moves() []Bug {
	const (
		move, steal = "scheduler/move.go", "pool/steal.go"
		tied        = "TestOnlyAReadyFiberThatIsTiedToNothingMoves"
	)
	return []Bug{
		{"a fiber moves away from its locks", []Promise{"failed task keeping its locks"},
			move, "case s.owned.Len() > 0:", "case s.owned.Len() > 99:", tests("scheduler", tied), false},
		{"a fiber leaves behind what an object has assigned to it", []Promise{"I12"},
			move, "case w&owed != 0:", "case w&owed == owed|latched:", tests("scheduler", tied), false},
		{"a killed fiber escapes to another scheduler", []Promise{"I12"},
			move, "case w&interrupts != 0:", "case w&(cancelPending|fatal) != 0:", tests("scheduler", tied), false},
		{"a fiber that moves out is not counted", []Promise{"I12"},
			move, "\tc.counts.MovedOut++\n", "", tests("scheduler", "TestFibersThatMoveAreConserved"), false},
		{"a fiber that moves out keeps its slot", []Promise{"I5"},
			move, "\tc.slots.give(slot, h)\n", "", tests("scheduler", "TestNothingThatWasMeantForAMovedFiberReachesAnother"), false},
		{"a fiber that has moved out is in the batch", []Promise{"I1"},
			move, "\t\ts.run().endBatch() // it may be in the batch\n", "", tests("scheduler", "TestAMovedFiberIsNotInTheBatchThatWasLookedUp"), false},
		{"nobody at home hears of an end elsewhere", []Promise{"I9"},
			"scheduler/death.go", "s.origin.notify(died, s.failed(died))", "_ = s.origin", tests("scheduler", "TestAJoinerReceivesTheResultOfAFiberThatMoved"), false},
		{"who waits for a fiber elsewhere is called deadlocked", []Promise{"false deadlock because only one pool was counted"},
			"scheduler/verdict.go", "case c.departed.awaited(&c.reg.sources):", "case c.departed.awaited(&c.reg.sources) && c.timers.live > 0:", tests("scheduler", "TestAJoinerReceivesTheResultOfAFiberThatMoved"), false},
		{"fibers put in front make the batch longer", []Promise{"I/O starved by a spinning fiber"},
			"scheduler/runqueue.go", "\tc.drawn--\n\tc.ring.pushFront(c.ids[c.drawn].Index())\n", "", tests("scheduler", "TestFibersPutInFrontDoNotPutOffThePoll"), false},
		{"a batch whose request was closed is lost", []Promise{"I12"},
			steal, "\tw.moveIn(b)\n\treturn false\n", "\treturn false\n", tests("pool", "TestABatchForAnOldRequestFitsTheNewOne"), false},
		{"a pool waits for a fiber elsewhere that stays blocked", []Promise{"false deadlock because only one pool was counted"},
			"pool/worker.go", "v.Kind != scheduler.Waiting || v.OnlyMoved,", "v.Kind != scheduler.Waiting,",
			tests("pool", "TestAJoinerOfABlockedMovedFiberIsInDeadlock"), true},
		{"a worker without room never sleeps", []Promise{"idle loop polling"},
			"pool/coordinator.go", " && !state.full {", " {", tests("pool", "TestAWorkerWithoutRoomSleeps"), false},
		{"a batch for a sleeping worker does not wake it", []Promise{"I9"},
			steal, "\t\tthief.s.Inbox().Notify() // it may sleep by now, even if it asked while awake\n", "", tests("pool", "TestABusyWorkerSendsFibersToAnIdleOne"), false},
		{"a pool ends while a command is in transit", []Promise{"I9"},
			"pool/coordinator.go", "\t\tif w.s.Inbox().Waiting() {\n\t\t\treturn // its owner is about to wake up\n\t\t}\n", "\t\t_ = w\n", tests("pool", "TestThePoolDoesNotEndWhileWorkIsInTransit"), false},
	}
}
