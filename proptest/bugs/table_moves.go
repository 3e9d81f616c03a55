package bugs

// moves are mistakes on the way of a fiber from one scheduler to another.
func moves() []Bug {
	const (
		move, steal = "scheduler/move.go", "island/steal.go"
		tied        = "TestOnlyAReadyFiberThatIsTiedToNothingMoves"
	)
	return []Bug{
		{"a fiber moves away from its locks", []Promise{"failed task keeping its locks"},
			move, "case len(s.owned) > 0:", "case len(s.owned) > 99:", tests("scheduler", tied), false},
		{"a fiber leaves behind what an object has assigned to it", []Promise{"I12"},
			move, "case w&owed != 0:", "case w&owed == owed|latched:", tests("scheduler", tied), false},
		{"a killed fiber escapes to another scheduler", []Promise{"I12"},
			move, "case w&(doomed|alarmed|fatal) != 0:", "case w&(alarmed|fatal) != 0:", tests("scheduler", tied), false},
		{"a fiber that moves out is not counted", []Promise{"I12"},
			move, "\tc.counts.MovedOut++\n", "", tests("scheduler", "TestFibersThatMoveAreConserved"), false},
		{"a fiber that moves out keeps its slot", []Promise{"I5"},
			move, "\tc.slots.give(slot, h)\n", "", tests("scheduler", "TestNothingThatWasMeantForAMovedFiberReachesAnother"), false},
		{"a fiber that has moved out is in the batch", []Promise{"I1"},
			move, "\t\ts.endBatch() // it may be of the batch\n", "", tests("scheduler", "TestAMovedFiberIsNotInTheBatchThatWasLookedUp"), false},
		{"nobody at home hears of an end elsewhere", []Promise{"I9"},
			"scheduler/exit.go", "s.home.tell(died, s.failed(died))", "_ = s.home", tests("scheduler", "TestWhoJoinsAFiberHearsOfItsEndElsewhere"), false},
		{"who waits for a fiber elsewhere is called deadlocked", []Promise{"false deadlock because only one pool was counted"},
			"scheduler/verdict.go", "case c.departed.awaited(&c.reg.sources):", "case c.departed.awaited(&c.reg.sources) && c.timers.live > 0:", tests("scheduler", "TestWhoJoinsAFiberHearsOfItsEndElsewhere"), false},
		{"fibers put in front make the batch longer", []Promise{"I/O starved by a spinning fiber"},
			"scheduler/batch.go", "\tc.drawn--\n\tc.ready.pushFront(c.ids[c.drawn].Index())\n", "", tests("scheduler", "TestFibersPutInFrontDoNotPutOffThePoll"), false},
		{"a parcel that nobody wants any more is lost", []Promise{"I12"},
			steal, "\tw.unpack(p)\n\treturn false\n", "\treturn false\n", tests("island", "TestAParcelForAnOldWishIsNoMoreThanTheNewOneHasRoomFor"), false},
		{"a pool waits for a fiber elsewhere that is blocked for ever", []Promise{"false deadlock because only one pool was counted"},
			"island/pool_worker.go", "v.Kind != scheduler.Waiting || v.Abroad,", "v.Kind != scheduler.Waiting,",
			tests("island", "TestWhoJoinsAFiberThatIsBlockedForEverElsewhereIsInDeadlock"), true},
		{"a worker without room looks for work for ever", []Promise{"idle loop polling"},
			"island/injector.go", " && !o.full {", " {", tests("island", "TestAWorkerWithoutRoomSleepsUntilItHasSome"), false},
		{"a parcel for a worker that sleeps does not wake it", []Promise{"I9"},
			steal, "\t\tthief.s.Inbox().Rouse() // it may sleep, even if it was awake when it asked\n", "", tests("island", "TestAWorkerWithPlentyWakesOneThatRests"), false},
		{"a pool ends while a command is on its way", []Promise{"I9"},
			"island/injector.go", "\t\tif w.s.Inbox().Waiting() {\n\t\t\treturn // its owner is about to wake up\n\t\t}\n", "\t\t_ = w\n", tests("island", "TestThePoolIsNotOverWhileSomethingIsOnItsWay"), false},
	}
}
