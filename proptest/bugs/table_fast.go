package bugs

// fast are mistakes in the cheap forms of waits on one object.
func fast() []Bug {
	const fastpath = "scheduler/fastpath.go"
	return []Bug{
		{"fast: a doomed fiber blocks", []Promise{"I12"},
			fastpath, "blockOnMask = armMask | holds | interrupts", "blockOnMask = armMask | holds | fatal | cancelPending", lockstep(), false},
		{"fast: a cancelled fiber blocks", []Promise{"I9", "canceled fiber asleep forever"},
			fastpath, "blockOnMask = armMask | holds | interrupts", "blockOnMask = armMask | holds | killPending | fatal", lockstep(), false},
		{"fast: a fiber blocks on what it last waited on", []Promise{"I10"},
			"scheduler/block.go", "!identical(&c.reg.sources.at(*c.reg.soleSlot(h)).source, &src)", "src == nil", lockstep(), false},
		{"fast: a fiber arms for what it last waited on", []Promise{"I10"},
			"scheduler/arm.go", "!h.has(kept) || *c.reg.soleSlot(h) != slot", "!h.has(kept)", lockstep(), false},
		{"fast: an object is left and still counted", []Promise{"I10"},
			"scheduler/arm.go", "\t\tc.reg.unkeep(h)", "\t\t_ = 0", lockstep(), false},
		{"fast: a wake comes without what was assigned", []Promise{"I12"},
			"scheduler/deliver.go", "ended |= owed", "ended |= 0", lockstep(), false},
		{"fast: a spent ticket is good to one with a record", []Promise{"I3", "double wake"},
			fastpath, "h.seq != t.Seq || h.gen", "h.gen", lockstep(), false},
		{"fast: a value can be claimed twice", []Promise{"I12"},
			"scheduler/claim.go", "h.word ^= owed | kept", "h.word |= kept", lockstep(), false},
		{"fast: a lock goes with the source that it was", []Promise{"I12", "failed task keeping its locks"},
			"scheduler/registry.go", "if h.has(holds) {", "if false {", tests("scheduler", "TestALockThatWasWaitedForIsOwnedLikeAnyOther"), false},
		{"fast: a lock that was given back is owned still", []Promise{"I12"},
			"scheduler/own.go", "h.word &^= holds", "_ = 0", tests("scheduler", "TestALockThatWasWaitedForIsOwnedLikeAnyOther"), false},
	}
}
