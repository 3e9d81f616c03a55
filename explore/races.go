package explore

import "slices"

// learn looks at the events of the last run for pairs that depend on each other, belong to two fibers, and are
// ordered by nothing else. Such a pair could happen in the other order: the decision before its first event
// gets one more choice.
func (s *dpor) learn() {
	if s.cut < 0 {
		s.asleepNow() // the last events may be those of a sleeping fiber
	}
	if s.cut >= 0 {
		s.events = s.events[:min(s.cut, len(s.events))]
	}
	for i := range s.nodes[:s.at] {
		if n := s.nodes[i]; n.fibers != nil && n.event < len(s.events) {
			n.add(&s.events[n.event])
		}
	}
	newest := 0
	if s.changed < s.at {
		newest = s.nodes[s.changed].event
	}
	o := order{dpor: s, writes: map[int]int{}, reads: map[int][]int{}, last: map[int]int{}, all: -1, time: -1}
	for j := range s.events {
		o.place(j, j >= newest)
	}
}

// order is what is known of the order of the events up to one.
type order struct {
	*dpor
	last   map[int]int   // the last event of each fiber
	writes map[int]int   // the last event that has written each object
	reads  map[int][]int // the events since that have read it
	all    int           // the last event that may have used any object; -1 if there is none
	time   int           // the last advance of the time
}

// place makes the vector clock of an event. If it is a new one, its races are looked for.
func (o *order) place(j int, isNew bool) {
	e := &o.events[j]
	e.after, e.own = e.after[:0], 1
	if i, some := o.last[e.fiber]; some {
		e.own = o.events[i].own + 1
		o.join(e, i)
	}
	for _, i := range e.wakers {
		o.join(e, i)
	}
	if o.time >= 0 {
		o.join(e, o.time)
	}
	for _, i := range o.dependent(e) {
		if !o.before(i, e) {
			if isNew && e.fiber != clock {
				o.race(i, j)
			}
			o.join(e, i)
		}
	}
	e.set(e.fiber, e.own)
	o.used(j)
}

// dependent is the earlier events that an event may depend on, the latest first.
func (o *order) dependent(e *event) (before []int) {
	if e.all || e.fiber == clock {
		for _, i := range o.last {
			before = append(before, i)
		}
	} else {
		for _, u := range e.uses {
			if i, some := o.writes[u.number]; some {
				before = append(before, i)
			}
			if u.write {
				before = append(before, o.reads[u.number]...)
			}
		}
		if o.all >= 0 {
			before = append(before, o.all)
		}
	}
	slices.SortFunc(before, func(a, b int) int { return b - a })
	return slices.Compact(before)
}

// used notes what an event has used.
func (o *order) used(j int) {
	e := &o.events[j]
	o.last[e.fiber] = j
	for _, u := range e.uses {
		if !u.write {
			o.reads[u.number] = append(o.reads[u.number], j)
			continue
		}
		o.writes[u.number] = j
		delete(o.reads, u.number)
	}
	if e.all {
		o.all = j
	}
	if e.fiber == clock {
		o.time = j
	}
}

// before tells whether an event with the clock of e, as far as it is made, comes after event i.
func (o *order) before(i int, e *event) bool { return e.clockOf(o.events[i].fiber) >= o.events[i].own }

func (o *order) join(e *event, i int) {
	for f, n := range o.events[i].after {
		if n > e.clockOf(f+clock) {
			e.set(f+clock, n)
		}
	}
}

// The clocks begin with that of the time.
func (e *event) clockOf(f int) int {
	if f-clock < len(e.after) {
		return e.after[f-clock]
	}
	return 0
}

func (e *event) set(f, n int) {
	for f-clock >= len(e.after) {
		e.after = append(e.after, 0)
	}
	e.after[f-clock] = n
}

// race: event j is to be made before event i in some run. It begins with one of the initials: fibers
// whose step is the first of those between that need not come after i.
func (o *order) race(i, j int) {
	first := &o.events[i]
	if first.node < 0 || first.fiber == clock {
		return // no other fiber could run
	}
	n := o.nodes[first.node]
	initials := o.initials(i, j)
	for at, f := range n.fibers {
		if slices.Contains(initials, f) && n.todo[at] {
			return
		}
	}
	for at, f := range n.fibers {
		if slices.Contains(initials, f) {
			n.todo[at] = true
			return
		}
	}
	for at := range n.todo {
		n.todo[at] = true
	}
}

func (o *order) initials(i, j int) (fibers []int) {
	begun := map[int]int{} // the first of the events between, of each fiber
	for k := i + 1; k <= j; k++ {
		e := &o.events[k]
		if e.fiber == clock || k != j && o.before(i, e) {
			continue
		}
		if _, some := begun[e.fiber]; !some && !afterAny(e, begun) {
			fibers = append(fibers, e.fiber)
		}
		if _, some := begun[e.fiber]; !some {
			begun[e.fiber] = e.own
		}
	}
	return fibers
}

// afterAny tells whether an event comes after one of those that are given by fiber.
func afterAny(e *event, begun map[int]int) bool {
	for f, own := range begun {
		if e.clockOf(f) >= own {
			return true
		}
	}
	return false
}
