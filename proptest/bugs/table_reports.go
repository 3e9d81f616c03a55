package bugs

// reports are mistakes in what is copied for reports.
func reports() []Bug {
	const (
		shot   = "scheduler/snapshot.go"
		timers = "scheduler/snapshot_timers.go"
		each   = "internal/opqueue/each.go"
		record = "scheduler/record.go"
	)
	state := []Promise{"report of a state that never was"}
	return []Bug{
		{"a snapshot has no lent fibers", state,
			shot, "h.has(lent), h.seq", "false, h.seq", lockstep(), false},
		{"a snapshot has no deadlines of those with a name", state,
			shot, "row.Deadline = x.deadline", "_ = x.deadline", lockstep(), false},
		{"a snapshot takes a token for an object", state,
			shot, "slot = 0 // ref", "_ = 0 // ref", lockstep(), false},
		{"a snapshot shows native calls from the top down", state,
			shot, "slices.Reverse(s.Fibers[first:])", "_ = first", lockstep(), false},
		{"a snapshot gives an object the holders of the next one", state,
			shot, "o.holders = uint32(len(s.holders)) - o.first", "o.holders = uint32(len(s.holders))", tests("scheduler", "TestTheHoldersOfASnapshotAreThoseOfTheModel"), false},
		{"a timer that is over is reported", state,
			timers, "n, c.timers.isLive, c.soonest", "n, func(wheel.Entry) bool { return true }, c.soonest", lockstep(), false},
		{"the later of two timers is reported", state,
			"internal/wheel/soonest.go", "if other.Deadline > d {", "if other.Deadline >= d {", tests("internal/wheel", "TestTheSoonestOfEqualDeadlinesAreThoseRegisteredFirst"), false},
		{"an operation that is complete is reported as under way", state,
			each, "case done, ready:\n\t\treturn Completed", "case done, ready:\n\t\treturn Submitted", lockstep(), false},
		{"a recording takes what came from outside for a fiber's", state,
			record, "r.handOver(step, r.between, turns)", "r.handOver(step, false, turns)", tests("scheduler", "TestWhatComesFromOutsideIsMarked"), false},
		{"a recording forgets short turns in which nothing comes from outside", state,
			record, "c.step >= r.due || c.step != r.slicesEnd || idle || r.turns >= maxTurns", "c.step != r.slicesEnd || idle", tests("scheduler", "TestWhatComesFromOutsideIsMarked"), false},
		{"a recording has the end of the history once more for its beginning", state,
			record, "c.history[:end-historyLen]...", "c.history[from:]...", tests("scheduler", "TestARecordingOfAnyCalls|TestWhatComesFromOutsideIsMarked"), false},
		{"the first operation is not reported", state,
			each, "i := uint32(1)", "i := uint32(2)", lockstep(), false},
	}
}
