package bugs

// pumps are mistakes about native calls that cannot be suspended.
func pumps() []Bug {
	const (
		pins    = "scheduler/pins.go"
		verdict = "scheduler/verdict.go"
	)
	return []Bug{
		{"a pump that ends runs nobody", []Promise{"I2", "nested pump losing current"},
			pins, "c.cur, c.curID = p.root, p.id", "_ = p", lockstep(), false},
		{"a pin outlives its pump", []Promise{"I2"},
			pins, "c.pins = c.pins[:last]", "_ = last", lockstep(), false},
		{"a verdict names the call that waits as buried", []Promise{"I2"},
			verdict, "Below: below, Above: by.ID()}", "Below: by.ID(), Above: below}", script("stack-inversion"), false},
		{"a verdict does not stick", []Promise{"I6"},
			"scheduler/pump.go", "root.set(fatal)", "_ = root", lockstep(), false},
		{"a pinned root is enqueued", []Promise{"I1", "I2"},
			"scheduler/chain.go", "if c.isPinned(root) {", "if false {", lockstep(), false},
		{"an inversion is told as a deadlock", []Promise{"I2"},
			verdict, "if below := c.pump().below(); below != 0 {", "if below := c.pump().below(); false && below != 0 {", lockstep(), false},
		{"a pump does not count who waits for operations", []Promise{"false deadlock because only one pool was counted"},
			verdict, "until, c.Ops().pending() || c.external", "until, c.external", lockstep(), false},
		{"a fiber failed by a verdict waits", []Promise{"I6"},
			"scheduler/block.go", "case c.cur.has(interrupts):", "case c.cur.has(killPending | cancelPending):", lockstep(), false},
		{"a fiber failed by a verdict submits", []Promise{"I12"},
			"scheduler/submit.go", "case c.cur.has(fatal):", "case false:", lockstep(), false},
		{"pumps nest without end", []Promise{"I2"},
			"scheduler/acquire.go", "if c.cur.has(nests) && len(c.pins) >= c.cfg.MaxNesting {", "if false {", lockstep(), false},
		{"a run ends as if its pumps had found nothing", []Promise{"I9"},
			"scheduler/loop.go", "case c.stuck != nil:", "case false:", tests("scheduler", "TestARunEndsWithTheFirstVerdictOfItsPumps"), false},
		{"a run ends with the verdict of the last one", []Promise{"I9"},
			"scheduler/loop.go", "l.core.ended, l.core.stuck, l.core.stopping, l.core.lingers = nil, nil, nil, false", "l.core.ended, l.core.stopping, l.core.lingers = nil, nil, false", tests("stackful", "TestTheNextRunEndsOnItsOwn"), false},
	}
}
