package bugs

// groups are mistakes in what Groups count and end.
func groups() []Bug {
	const (
		table, group, verdict = "scheduler/groups.go", "scheduler/group.go", "scheduler/verdict.go"
		carrier, slices       = "host/lua/fibers/carrier.go", "host/lua/carrier.go"
		exact                 = "TestAQuotaOfStepsIsExact"
	)
	return []Bug{
		{"the dead count to their Group", []Promise{"I12"},
			"scheduler/death.go", "c.groups.leave(slot)", "_ = slot", tests("scheduler", "TestAFiberBelongsToTheGroup"), false},
		{"the deadline of a Group's wait is not given back", []Promise{"I12"},
			table, "g.account.Give(quota.Timers, 1)", "_ = g", tests("scheduler", "TestWhatIsOverIsGivenBack"), false},
		{"the operation of a Group is not given back", []Promise{"I12"},
			"internal/opqueue/token.go", "q.Released(ioqueue.SlotOf(s.name))", "_ = s", tests("scheduler", "TestWhatIsOverIsGivenBack"), false},
		{"a quota ends only the Group of the fiber that passes it", []Promise{"I12"},
			group, "\t\t\tover = at\n", "\t\t\tif over == nil {\n\t\t\t\tover = at\n\t\t\t}\n", tests("scheduler", "TestEachQuotaAdmitsExactlyItsNumber"), false},
		{"a batch has fibers of a Group for which its share does not last", []Promise{"guest disturbed by another"},
			"scheduler/choose.go", " || !c.groups.fits(slot)", "", tests("scheduler", "TestABatchHasNoMoreFibersOfAGroup"), false},
		{"a Group that was killed gets fibers", []Promise{"I12"},
			"scheduler/spawn.go", "case g.refusal() != nil:", "case false:", tests("scheduler", "TestAKilledGroupEndsWithAllBelowIt"), false},
		{"the time limit of a Group hides a deadlock", []Promise{"I10"},
			verdict, "c.timers.alarms.count+c.groups.limits()", "c.timers.alarms.count", tests("scheduler", "TestTheTimeOfAGroup"), false},
		{"a loop sleeps past the time limit of a Group", []Promise{"I10", "timer notify lost"},
			verdict, "until = c.timers.next()", "_ = until", tests("scheduler", "TestTheTimeOfAGroup"), false},
		{"a time slice of Lua is longer than the steps that are left", []Promise{"I12"},
			carrier, "min(int64(c.env.rt.Scheduler().Inspect().Budget()), c.group.Account().Left(quota.Steps))", "int64(c.env.rt.Scheduler().Inspect().Budget())", tests("host/lua/fibers", "TestNothingIsExecutedBeyond"), false},
		{"Lua that waits has used nothing of its time slice", []Promise{"I12"},
			slices, "\ts.Settle()\n\ts.makeCurrent(t.top)\n", "\ts.makeCurrent(t.top)\n", tests("host/lua/fibers", exact), false},
	}
}
