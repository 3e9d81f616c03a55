package main

// allRows is every comparison. A row's peer does the same work the same number of times.
func allRows() []row {
	rows := []row{
		{id: "P01", work: "next+yield, 8 fibers", peer: "Gosched", goal: 15, n: 800_000,
			ours: nextYield(8), theirs: gosched(8)},
		{id: "P01", work: "next+yield, 1000 fibers", peer: "Gosched", goal: 15, n: 800_000,
			ours: nextYield(1000), theirs: gosched(1000)},
		{id: "P03", work: "next+block+wake by ticket", peer: "goroutines passing a baton", goal: 15, n: 800_000,
			ours: blockWake(8), theirs: baton(8)},
		{id: "P05", work: "spawn+run+kill, reused slot", peer: "WaitGroup.Go", goal: 30, n: 800_000,
			ours: spawnRunKill, theirs: goStmt},
	}
	return append(rows, luaRows()...)
}
