package wait

import "github.com/selvage-dev/selvage/fiber"

// The line for a mutex is its own queue and the lines of its conds, in one order: by
// arrival, which for a signaled waiter is its signal. Each operation here looks at every
// cond of the mutex that has waiters.

// handOverInLine gives the lock to the next fiber in line: the waiter signaled first, or a
// locker that came before that signal. The caller has checked that the line is not empty.
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

// passSignal signals the next waiter in place of an owner that Signal chose and that was
// killed before it ran. The killed owner unlocks without a Collect, and Forfeit comes only
// after that, when it can no longer tell that the signal was lost.
func (m *Mutex) passSignal() {
	for _, c := range m.conds {
		if c.chosen == m.granted {
			c.signal(true)
			return
		}
	}
}

// failConds ends all waits for a signal when the lock is poisoned: no fiber can lock it
// any more to make the condition true.
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

// leaveLine takes a signaled waiter out of the line for the lock.
func (c *Cond) leaveLine(t fiber.Ticket) {
	p, ok := c.line.Peek(t)
	if !ok {
		return
	}
	single := p.single
	c.line.Withdraw(t)
	c.m.inLine--
	if single {
		c.signal(true)
	}
}
