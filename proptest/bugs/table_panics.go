package bugs

// panics are mistakes about unwinding.
func panics() []Bug {
	const recovers, defers = "panicstate/recover.go", "panicstate/defers.go"
	return []Bug{
		{"a panic ends the slice", []Promise{"I6"},
			"scheduler/panics.go", "p.Begin(kind, value, site)", "p.Begin(kind, value, site)\n\tc.YieldCurrent()", script("panic-does-not-touch-the-state"), false},
		{"a fiber ends by a panic that never began", []Promise{"I6"},
			"scheduler/finish.go", "\tc.mustHavePanicked(h)\n", "", tests("scheduler", "TestAMistakeOfTheHost"), false},
		{"the panic of a call stays there", []Promise{"I7"},
			"scheduler/release.go", "heir.Adopt(p)", "_, _ = heir, p", tests("trampoline", "TestAPanicPassesToTheCallerWithItsGenerationAndNothingElse"), false},
		{"the panic of a call is a new one to its caller", []Promise{"I7", "panic generation lost in a trampoline"},
			"scheduler/release.go", "heir.Adopt(p)", "p.Generation = 0\n\t\their.Adopt(p)", script("panic-generation-kept-in-a-trampoline"), false},
		{"a panic carries its unwinding to the caller", []Promise{"I7"},
			"scheduler/release.go", "heir.Adopt(p)", "their := p\n\t\their.Adopt(their)\n\t\their.NextDefer()", tests("trampoline", "TestAPanicPassesToTheCallerWithItsGenerationAndNothingElse"), false},
		{"a deferred call recovers the panic it was registered in", []Promise{"I7", "defer recovering its own panic"},
			recovers, " || u.Generation <= s.running[len(s.running)-1].generation", "", script("defer-cannot-recover-its-own-panic"), false},
		{"a deferred call defers nothing", []Promise{"I6", "defer inside a defer not run"},
			defers, "\ts.pending = append(s.pending, pending{})\n", "\tif s.Phase() == InDefer {\n\t\treturn\n\t}\n\ts.pending = append(s.pending, pending{})\n", tests("panicstate", ""), false},
		{"a helper recovers", []Promise{"recover through a helper"},
			recovers, "frame != floor", "frame < floor", tests("panicstate", ""), false},
		{"an exit is recovered", []Promise{"I6"},
			recovers, "u.Kind != Recoverable || ", "", script("exit-is-not-recoverable"), false},
		{"a panic in a deferred call replaces an exit", []Promise{"I6"},
			defers, " && s.unwinds[from-1].Kind <= s.unwinds[first].Kind", "", tests("panicstate", ""), false},
	}
}
