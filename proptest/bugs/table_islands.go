package bugs

// islands are mistakes in the detection of deadlocks that span schedulers.
func islands() []Bug {
	const (
		policy, member = "island/probe.go", "island/internal/probe/probe.go"
		mistaken       = "false deadlock because only one pool was counted"
		lost           = "wake lost between try and register"
	)
	return []Bug{
		{"an island that is roused while it examines itself does not answer", []Promise{lost},
			policy, "if st, certain := i.state(); certain {", "if st, _ := i.state(); true {", tests("island", "TestAProbeIsNotLostIfTheIslandIsRousedMeanwhile"), false},
		{"a hold that moved between two questions is not noticed", []Promise{lost},
			policy, ", Holds: i.core.Inbox().SendersOpened()}", "}", tests("island", "TestAHoldThatMovesBetweenIslandsPreventsADeadlock"), false},
		{"an island that runs again keeps its statement", []Promise{lost},
			policy, "if i.prober.Published() != st {", "if st != nil && i.prober.Published() != st {", tests("island", "TestProbesDoNotKeepIslandsThatHaveLeftAlive"), false},
		{"only an island that waits at a port probes", []Promise{lost},
			policy, "return i.portAwaited() || i.cfg.Peers != nil || i.servesOthers() && i.reg.isSealed()", "return i.portAwaited()", tests("island", "TestAnIdleIslandProbesIfItIsTheLastToBlock"), false},
		{"an island probes again and again", []Promise{"idle loop polling"},
			member, "m.due, m.repeat, m.started = false, false, true", "m.due, m.repeat = false, false", tests("island", "TestReleasingAHoldStartsAnotherProbe"), false},
		{"every answer confirms the statement", []Promise{mistaken},
			"island/internal/probe/round.go", "q.round.answered(m, st == q.round.asked[q.at].st)", "q.round.answered(m, st != nil)", tests("island", "TestRandomIslandsFindExactlyTheirDeadlocks"), false},
		{"an island of another deadlock is reported although it may have ended", []Promise{mistaken},
			"island/deadlock.go", "if f.island.deadlocked() {", "if f.island.deadlocked() && f.island.left {", tests("island", "TestAnIslandIsInOneDeadlockOnly"), false},
		{"the first island sees a deadlock before the last one could", []Promise{mistaken},
			"island/island.go", "e != nil && e.published.Load()", "e != nil", tests("island", "TestADeadlockIsPublishedToAllIslandsAtOnce"), false},
	}
}
