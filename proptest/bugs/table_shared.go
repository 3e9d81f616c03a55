package bugs

// sharedRuntimes are mistakes in what keeps the guests of one Runtime apart.
func sharedRuntimes() []Bug {
	const (
		program, host = "scheduler/group_program.go", "host/lua/fibers/shared_host.go"
		fibers        = "host/lua/fibers"
	)
	apart := []Promise{"guest disturbed by another"}
	return []Bug{
		{"the main fiber of a program ends the run", apart,
			program, "case g != nil:", "case false:", tests("scheduler", "TestAMainFiberEndsItsProgramOnly"), false},
		{"the other fibers of a program outlive its main fiber", []Promise{"I12"},
			program, "if id != main {", "if false {", tests("scheduler", "TestAMainFiberEndsItsProgramOnly"), false},
		{"a program gets no wake-up for what it did not read", apart,
			program, "\t\t\tp.failures.add(d, cell, p.Unobserved)\n", "", tests("scheduler", "TestAProgramIsToldOfItsUnobservedFailures"), false},
		{"the busy fibers of others hide the deadlock of a program", []Promise{"I10"},
			"scheduler/waitgraph_feed.go", "g.graph.AddEnvironment(g.groupCanProgress(in))", "g.graph.AddEnvironment(environmentCanProgress(c))", tests("scheduler", "TestTheDeadlockOfAGroup"), false},
		{"os.exit ends all guests of a Runtime", apart,
			"host/lua/fibers/exit.go", "\tfor id := range e.group.Fibers() {\n", "\te.rt.Scheduler().Steps().KillAll(why)\n\tfor id := range e.group.Fibers() {\n", tests(fibers, "TestAnExitEndsTheFibersOfItsGuestOnly"), false},
		{"others run while a guest is closed", apart,
			host, "_ = sched.Attachments().Pause(id)", "_ = id", tests(fibers, "TestNoOtherGuestRuns"), false},
	}
}
