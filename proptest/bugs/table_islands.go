package bugs

// islands are mistakes in finding deadlocks that span schedulers.
func islands() []Bug {
	const (
		probe    = "island/probe.go"
		mistaken = "false deadlock because only one pool was counted"
		lost     = "wake lost between try and register"
	)
	return []Bug{
		{"who is roused while it is asked keeps silent", []Promise{lost},
			probe, "\tif !sure {\n\t\treturn\n\t}\n", "\t_ = sure\n", tests("island", "TestAProbeIsNotLostWhenSomethingComesMeanwhile"), false},
		{"who has kept silent does not ask again", []Promise{lost},
			probe, "\t\tp.said.Store(nil)\n", "\t\t_ = p\n", tests("island", "TestAHoldThatIsReleasedHasTheIslandAskAgain"), false},
		{"only who waits at a port asks", []Promise{lost},
			probe, "return i.portAwaited() || i.team != nil || i.serves() && i.reg.isSealed()", "return i.portAwaited()", tests("island", "TestAnIslandThatOnlyServesAsksWhenItIsStuckLast"), false},
		{"an island asks again and again", []Promise{"idle loop polling"},
			probe, "p.due, p.again, p.tried = false, false, true", "p.due, p.again = false, false", tests("island", "TestAHoldThatIsReleasedHasTheIslandAskAgain"), false},
		{"whoever answers has said the same", []Promise{mistaken},
			"island/probe_round.go", "q.round.answered(i, st == q.round.asks[q.at].said)", "q.round.answered(i, st != nil)", tests("island", "TestRandomIslandsAreInDeadlockIfTheyAreSaidToBe"), false},
		{"who may have been told that another has ended is in deadlock with it", []Promise{mistaken},
			"island/registry.go", "if f.isle.deadlocked() {", "if f.isle.deadlocked() && f.isle.left {", tests("island", "TestWhoIsInADeadlockAlreadyIsInNoOther"), false},
		{"the first of a deadlock knows of it before the last could", []Promise{mistaken},
			probe, "e != nil && e.told.Load()", "e != nil", tests("island", "TestNobodyKnowsOfADeadlockBeforeItIsNotedForAllInIt"), false},
	}
}
