package bugs

// objects are mistakes in what fibers wait on.
func objects() []Bug {
	const (
		chans     = "wait/chan_ops.go"
		chanWait  = "wait/chan_wait.go"
		chanSide  = "wait/chan_source.go"
		mutex     = "wait/mutex.go"
		semaphore = "wait/semaphore.go"
	)
	const match = "t, tag, only := c.recvs.MatchOnly(v)\n\t\tif !only {\n\t\t\tt, tag, _ = c.recvs.Match(v)\n\t\t}\n"
	return []Bug{
		{"close tells senders that they have sent", []Promise{"close waking senders as if they had succeeded"},
			chans, "dst = append(dst, c.woken(t, fiber.Closed, tag))\n\t}\n\treturn dst, nil", "dst = append(dst, c.woken(t, fiber.OK, tag))\n\t}\n\treturn dst, nil", script("close-wakes-senders-with-error"), false},
		{"a woken receiver has to fetch its value", []Promise{"I11", "woken receiver robbed by a later one"},
			chans, match, "t, tag, _, _ := c.recvs.Pop()\n\t\tc.buf.push(v, 1<<20)\n", script("woken-receiver-not-robbed"), false},
		{"a value is handed over and kept", []Promise{"I11", "I12", "value delivered and also left in the buffer"},
			chans, match, match + "\t\tc.buf.push(v, 1<<20)\n", script("value-delivered-once"), false},
		{"a value without content is the end", []Promise{"zero-size element read as closed"},
			chanWait, "v, _, ok = c.recvs.Collect(t)\n\treturn v, ok", "v, _, ok = c.recvs.Collect(t)\n\treturn v, ok && any(v) != any(struct{}{})", tests("wait", "TestZeroSizeAndNilValuesAreNotTheEnd"), false},
		{"a select leaves its other cases registered", []Promise{"I10", "select siblings left registered"},
			"scheduler/registry.go", "for _, slot := range s.sources {\n\t\t\tdst = r.withdrawFrom(slot, t, dst)", "for _, slot := range s.sources[:1] {\n\t\t\tdst = r.withdrawFrom(slot, t, dst)", script("select-siblings-withdrawn"), false},
		{"a sender stays in line when it gives up", []Promise{"I10"},
			chanSide, "if src.sends.AnyWaits() {\n\t\tsrc.sends.Withdraw(t)\n\t}", "_ = 0", tests("wait", "TestAWithdrawnSendersValueIsNeverDelivered"), false},
		{"a lock is free until its next owner runs", []Promise{"I11", "mutex with a moment of no owner"},
			mutex, "m.owner, m.granted = owner, t", "m.owner, m.granted = 0, t", script("mutex-handoff-no-gap"), false},
		{"whoever asks for few permits goes first", []Promise{"I11", "semaphore barging"},
			semaphore, "return !s.waiting.AnyWaits() && n <= s.free", "return n <= s.free", tests("wait", "TestASmallRequestDoesNotOvertakeALargeOneThatWaits"), false},
		{"permits handed over stay free", []Promise{"I12"},
			semaphore, "\t\ts.give(next)\n", "\t\ts.held.add(next.id, next.n)\n", tests("wait", "Semaphore|Permits"), false},
		{"a buffered value is taken twice", []Promise{"I12"},
			"wait/buffer.go", "\tb.head++\n", "", tests("wait", "TestABuffer"), false},
		{"a dead receiver's value is offered to nobody and told to nobody", []Promise{"I12"},
			chanSide, "src.onLost(v)", "_ = v", tests("wait", "TestAValueAssignedToAFiberThatDiesReachesTheHook"), false},
	}
}
