package proptest

// brokenScheduler is one mistake in the source of the real scheduler: a text that
// occurs once in a file, and what stands there instead.
type brokenScheduler struct {
	name, file, right, wrong string
}

// brokenSchedulers is the table. Where the source moves on, the table follows.
func brokenSchedulers() []brokenScheduler {
	const (
		acquire = "scheduler/acquire.go"
		arm     = "scheduler/arm.go"
		block   = "scheduler/block.go"
		cancel  = "scheduler/cancel.go"
		chain   = "scheduler/chain.go"
		deliver = "scheduler/deliver.go"
		exit    = "scheduler/exit.go"
		header  = "scheduler/header.go"
		hot     = "scheduler/hot.go"
		kill    = "scheduler/kill.go"
		nest    = "scheduler/nest.go"
		poll    = "scheduler/poll.go"
		single  = "scheduler/single.go"
		table   = "scheduler/table.go"
		tokens  = "scheduler/tokens.go"
		verdict = "scheduler/verdict.go"
		await   = "ioqueue/await.go"
		abandon = "ioqueue/abandon.go"
		done    = "ioqueue/complete.go"
	)
	return []brokenScheduler{
		{"a ticket of another wait is good", deliver, "h.seq != t.Seq || !h.waits()", "!h.waits()"},
		{"a spent ticket is good", deliver, "h.seq != t.Seq || !h.waits()", "h.seq != t.Seq"},
		{"a root answers for its armed callee", header, "h.word&(armed|chained) == armed", "h.has(armed)"},
		{"a token is awaited by delivery too", deliver, "if h.kind() != fiber.Queue {", "if false {"},
		{"a caller is woken past its callee", deliver, "|| h.has(onCallee) {", "{"},
		{"a slot's next fiber has the last one's name", table, "h.ref = h.ref, 0\n\th.gen++", "h.ref = h.ref, 0"},
		{"a dead fiber is found by its name", table, "h.gen != id.Generation() || h.state() == fiber.Dead", "h.gen != id.Generation()"},
		{"a yielder stays ahead", hot, "c.ready.push(c.curRaw)", "c.ready.pushFront(c.curRaw)"},
		{"a doomed fiber is mounted to die", poll, "h.word&(stateMask|reapable) != runnable", "h.word&stateMask != runnable"},
		{"a batch does not hear of a kill", kill, "c.ready.settle() //", "_ = 0 //"},
		{"a killed fiber waits for its frames, which it has not", kill, "h.set(reapable)", "_ = 0"},
		{"a doomed fiber blocks", block, "case c.cur.has(doomed | fatal | alarmed):", "case c.cur.has(fatal | alarmed):"},
		{"a cancelled fiber blocks", block, "case c.cur.has(doomed | fatal | alarmed):", "case c.cur.has(doomed | fatal):"},
		{"a latched root stays where it is", block, "c.ready.push(c.curRaw)", "c.ready.pushFront(c.curRaw)"},
		{"a cancel does not wake", cancel, "top.state() == fiber.Blocked && s.masks == 0", "false"},
		{"a fiber is told of its cancel again and again", cancel, "c.sideOf(h).cancel = cancelTaken\n\th.clear(alarmed)", "c.sideOf(h).cancel = cancelTaken"},
		{"a second cancel counts", cancel, "(s == nil || s.cancel == notCancelled)", "true"},
		{"fast: a doomed fiber blocks", single, "chained | doomed | alarmed | kept", "chained | alarmed | kept"},
		{"fast: a cancelled fiber blocks", single, "chained | doomed | alarmed | kept", "chained | doomed | kept"},
		{"fast: a fiber blocks on what it last waited on", single, "anchor != a || c.seq", "anchor != a && a == nil || c.seq"},
		{"fast: a fiber arms for what it last waited on", single, "!h.has(kept) || *c.soleSlot(h) != slot", "!h.has(kept)"},
		{"fast: an object is left and still counted", single, "c.unkeep(h)", "_ = 0"},
		{"fast: a wake comes without what was assigned", single, "ended |= owed", "ended |= 0"},
		{"fast: a spent ticket is good to one with a record", single, "h.seq != t.Seq || h.word", "h.word"},
		{"fast: a value can be claimed twice", single, "h.word = h.word&^owed | kept", "h.word |= kept"},
		{"an early completion is waited for", arm, "if early {", "if early && r.External {"},
		{"an armed callee does not show on its root", arm, "if h != c.cur && !c.cur.has(nests) {", "if false {"},
		{"a chain wakes without its root", chain, "c.pass(root, woken, t.root)\n\tc.enqueue(root, t.root)", "c.pass(root, woken, t.root)"},
		{"a caller does not know that it waits for its callee", chain, "c.cur.set(onCallee)", "_ = 0"},
		{"a root forgets its own frames with its last call", acquire, "if !s.native {", "if true {"},
		{"a doomed fiber begins a native call", acquire, "case c.cur.has(doomed):", "case false:"},
		{"a regular fiber is released", acquire, "|| !h.has(tramp) || h.has(armed|latched)", "|| h.has(armed|latched)"},
		{"a root leaves its calls behind", exit, "(stateMask|armed|latched|chained) != running {", "(stateMask|armed|latched) != running {"},
		{"the dead keep their operations", exit, "c.io.AbandonOwned(id)", "_ = id"},
		{"a wait that is taken back gives its token up", tokens, "c.mustToken(c.io.Unawait(s.token))", "c.mustToken(c.io.Abandon(s.token))"},
		{"a wait that is ended keeps its token", tokens, "c.mustToken(c.io.Abandon(s.token))", "c.mustToken(c.io.Unawait(s.token))"},
		{"a doomed fiber submits", tokens, "if c.cur.has(doomed) {", "if false {"},
		{"a token is awaited by anybody", await, "if s.owner.ID() != ticket.ID {", "if false {"},
		{"a result nobody collects is dropped in silence", abandon, "q.drop(t, q.end(i, s))", "_, _ = t, q.end(i, s)"},
		{"an abandoned operation is not cancelled", abandon, "q.push(&q.cancel, i)", "_ = 0"},
		{"a pump that ends runs nobody", nest, "c.cur, c.curRaw = p.root, p.raw", "_ = p"},
		{"a pin outlives its pump", nest, "c.pins = c.pins[:last]", "_ = last"},
		{"a verdict names the call that waits as buried", nest, "i := len(c.pins) - 2;", "i := len(c.pins) - 1;"},
		{"a verdict does not stick", nest, "root.set(fatal)", "_ = root"},
		{"a pinned root is enqueued", chain, "if c.isPinned(root) {", "if false {"},
		{"an inversion is told as a deadlock", verdict, "if buried := c.buried(); buried != 0 {", "if buried := c.buried(); false && buried != 0 {"},
		{"a pump does not count who waits for operations", verdict, "case c.io.Awaiting() > 0 || c.foreign", "case c.foreign"},
		{"a condemned fiber waits", block, "case c.cur.has(doomed | fatal | alarmed):", "case c.cur.has(doomed | alarmed):"},
		{"a condemned fiber submits", tokens, "if c.cur.has(fatal) {", "if false {"},
		{"pumps nest without end", acquire, "case c.cur.has(nests) && len(c.pins) >= c.cfg.MaxNesting:", "case false:"},
		{"a completion in time is late", done, "if s.phase == inFlight {", "if s.phase == inFlight || s.phase == awaited {"},
	}
}
