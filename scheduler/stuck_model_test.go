package scheduler

import "slices"

// future is the model that stuck fibers are compared with: which fiber blocks which, and every
// way it can go on from there. All that is held is units of something: a mutex has one, a
// reader takes one of a lock for many and a writer all.
type future struct {
	fibers []fate
	things []units
}

// fate is one fiber: it runs, or waits for what its fields say, or has ended.
type fate struct {
	ended   bool
	thing   int   // index+1 of the units it is in line for
	joins   []int // it waits for the end of any of these
	anyone  bool  // it waits for a value that any fiber could send
	timeout bool  // and not for longer than until then
}

// units are something of which size can be held at once, given out in order of arrival.
type units struct {
	free int
	held []int // by fiber
	line []order
}

type order struct{ fiber, n int }

func (f *fate) runs() bool {
	return !f.ended && f.thing == 0 && f.joins == nil && !f.anyone && !f.timeout
}

// take gives n units to the fiber, or has it wait in line.
func (m *future) take(fiber, thing, n int, timeout bool) {
	u := &m.things[thing]
	u.line = append(u.line, order{fiber, n})
	m.fibers[fiber] = fate{thing: thing + 1, timeout: timeout}
	m.serve(thing)
}

func (m *future) serve(thing int) {
	u := &m.things[thing]
	for len(u.line) > 0 && u.line[0].n <= u.free {
		next := u.line[0]
		u.line = u.line[1:]
		u.free -= next.n
		u.held[next.fiber] += next.n
		m.fibers[next.fiber] = fate{}
	}
}

// release gives back all units of the thing that the fiber holds.
func (m *future) release(fiber, thing int) {
	u := &m.things[thing]
	u.free += u.held[fiber]
	u.held[fiber] = 0
	m.serve(thing)
}

// end is the fiber's: it gives back everything, and its joiners run.
func (m *future) end(fiber int) {
	m.fibers[fiber] = fate{ended: true}
	for thing := range m.things {
		m.release(fiber, thing)
	}
	for n := range m.fibers {
		if slices.Contains(m.fibers[n].joins, fiber) {
			m.fibers[n] = fate{}
		}
	}
}

// wake ends a fiber's wait from outside: a deadline, or a value from another fiber.
func (m *future) wake(fiber int) {
	was := m.fibers[fiber].thing
	m.fibers[fiber] = fate{}
	if was > 0 {
		u := &m.things[was-1]
		u.line = slices.DeleteFunc(u.line, func(o order) bool { return o.fiber == fiber })
		m.serve(was - 1)
	}
}

func (m *future) clone() *future {
	c := &future{fibers: slices.Clone(m.fibers), things: slices.Clone(m.things)}
	for i := range c.things {
		c.things[i].held = slices.Clone(c.things[i].held)
		c.things[i].line = slices.Clone(c.things[i].line)
	}
	return c
}

// steps are all that can happen next.
func (m *future) steps() (next []*future) {
	step := func(do func(c *future)) {
		c := m.clone()
		do(c)
		next = append(next, c)
	}
	running := slices.ContainsFunc(m.fibers, func(f fate) bool { return f.runs() })
	for n, f := range m.fibers {
		switch {
		case f.runs():
			step(func(c *future) { c.end(n) })
			for thing, u := range m.things {
				if u.held[n] > 0 {
					step(func(c *future) { c.release(n, thing) })
				}
			}
		case f.timeout || f.anyone && running:
			step(func(c *future) { c.wake(n) })
		}
	}
	return next
}

// neverRun are the fibers that run in no future.
func (m *future) neverRun() (never []int) {
	runs := make([]bool, len(m.fibers))
	seen := map[string]bool{}
	work := []*future{m}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		key := at.key()
		if seen[key] {
			continue
		}
		seen[key] = true
		for n, f := range at.fibers {
			runs[n] = runs[n] || f.runs() || f.ended
		}
		work = append(work, at.steps()...)
	}
	for n, ran := range runs {
		if !ran {
			never = append(never, n)
		}
	}
	return never
}

// key is the state as a map key. What a fiber joins never changes.
func (m *future) key() string {
	var b []byte
	for _, f := range m.fibers {
		flags := byte(f.thing) << 4
		for bit, is := range []bool{f.ended, f.joins != nil, f.anyone, f.timeout} {
			if is {
				flags |= 1 << bit
			}
		}
		b = append(b, flags)
	}
	for _, u := range m.things {
		b = append(b, byte(u.free), byte(len(u.line)))
		for _, n := range u.held {
			b = append(b, byte(n))
		}
		for _, o := range u.line {
			b = append(b, byte(o.fiber), byte(o.n))
		}
	}
	return string(b)
}

// exact tells whether a report has to find every stuck fiber: none needs several holders to
// release, and none that could give up stands before another in a line where that may
// matter.
func (m *future) exact() bool {
	for _, u := range m.things {
		holders, quitters := 0, 0
		for _, n := range u.held {
			if n > 0 {
				holders++
			}
		}
		for _, o := range u.line {
			if m.fibers[o.fiber].timeout {
				quitters++
			}
		}
		if len(u.line) > 0 && holders > 1 || len(u.line) > 1 && u.free > 0 && quitters > 0 {
			return false
		}
	}
	return true
}
