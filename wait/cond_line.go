package wait

import "github.com/selvage-dev/selvage/fiber"

// The line for a mutex when signalled waiters stand in it: what the mutex does beside
// its own queue. It costs a look at each cond that has waiters.

// handOverInLine gives the lock to whoever is next: the waiter signalled first, or a
// locker that came before it was signalled. There is one.
func (m *Mutex) handOverInLine() fiber.Wakeup {
	c, p := m.firstInLine()
	if t, _, _, ok := m.waiting.Head(); ok && t.Seq <= p.after {
		t, tag, next, _ := m.waiting.Pop()
		return m.grant(t, tag, next)
	}
	t, tag, _, _ := c.line.Pop()
	m.inLine--
	c.choose(t, p.single)
	c.leave()
	return m.grant(t, tag, p.owner)
}

func (m *Mutex) firstInLine() (first *Cond, p place) {
	for _, c := range m.conds {
		if _, _, at, ok := c.line.Head(); ok && (first == nil || at.turn < p.turn) {
			first, p = c, *at
		}
	}
	return first, p
}

// passSignal signals the next in the place of an owner that Signal chose and that was
// killed before it ran: it unlocks what it was never told it has, and Forfeit comes too
// late to know.
func (m *Mutex) passSignal() {
	for _, c := range m.conds {
		if c.chosen == m.granted {
			c.signal(true)
			return
		}
	}
}

// failConds ends the waits for a signal when the lock is poisoned: nobody may lock it
// to make true what they wait for.
func (m *Mutex) failConds(dst []fiber.Wakeup) []fiber.Wakeup {
	for _, c := range m.conds {
		for t, tag, _, ok := c.waiting.Pop(); ok; t, tag, _, ok = c.waiting.Pop() {
			dst = append(dst, c.woken(t, fiber.Failed, tag))
		}
	}
	clear(m.conds)
	m.conds = m.conds[:0]
	return dst
}
