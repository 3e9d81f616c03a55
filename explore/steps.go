package explore

import (
	"reflect"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/scheduler"
)

// event is one step of one fiber: what it does from a point at which others could run to the next.
type event struct {
	fiber   int   // its number; clock for the time, which advances
	node    int   // the decision that it follows, or -1
	uses    []use // the objects
	all     bool  // it may use any object
	fresh   bool  // nothing is known about it yet
	wakers  []int // the events that it continues, because they have spawned or woken its fiber
	options []int // the fibers that could run instead, if it follows a decision
	after   []int // the vector clock: for each fiber the last of its events that comes before, from 1
	own     int   // its number among those of its fiber, from 1
}

// use is the use of one object, by its number. Two uses that only read do not depend on each other.
type use struct {
	write bool
	object
}

// object is what is known of an object. Its number is the order of first use, or of creation, so it is
// the same in runs that have the same beginning.
type object struct {
	number  int
	kind    reflect.Type
	created bool // the host has said when the object was made
}

func (u use) dependsOn(other use) bool { return u.number == other.number && (u.write || other.write) }

// mayBe is dependsOn for an object whose number in this run is not known.
func (u use) mayBe(other use) bool { return u.kind == other.kind && (u.write || other.write) }

// merge adds a use to those of a step, among which that of the same object is at i; -1 if there is none.
func merge(uses []use, u use, i int) []use {
	if i < 0 {
		return append(uses, u)
	}
	uses[i].write = uses[i].write || u.write
	return uses
}

// clock is the number of no fiber: its events are the advances of the virtual time.
const clock = -1

// steps is the events of one run. The numbers of fibers are the same in all runs of a search: that of a
// fiber depends only on its parent and on how many fibers that one has spawned before.
type steps struct {
	numbers map[[2]int]int // of a parent and a place among its children
	run
}

type run struct {
	events   []event
	fibers   map[fiber.ID]int
	children map[int]int
	wakes    map[int][]int // the events that have woken a fiber since its last step
	objects  map[any]object
	used     map[int]int // by object, where it is among the uses of the last event
	now      fiber.Time
}

func newSteps() *steps { return &steps{numbers: map[[2]int]int{}} }

// begin forgets the last run.
func (s *steps) begin() {
	s.run = run{
		now: scheduler.NewVirtualClock().Now(), events: s.events[:0], fibers: map[fiber.ID]int{}, children: map[int]int{}, wakes: map[int][]int{}, objects: map[any]object{}, used: map[int]int{},
	}
}

// last is the event under way, or nil.
func (s *steps) last() *event {
	if len(s.events) == 0 {
		return nil
	}
	return &s.events[len(s.events)-1]
}

// start begins an event of a fiber.
func (s *steps) start(number, node int) *event {
	s.events = append(s.events, event{fiber: number, node: node, all: true, fresh: true, wakers: s.wakes[number]})
	delete(s.wakes, number)
	clear(s.used)
	return s.last()
}

// number is that of a fiber.
func (s *steps) number(id fiber.ID) int {
	n, known := s.fibers[id]
	if !known { // its spawn was not observed
		return s.spawned(id, clock)
	}
	return n
}

func (s *steps) spawned(id fiber.ID, parent int) int {
	key := [2]int{parent, s.children[parent]}
	s.children[parent]++
	n, known := s.numbers[key]
	if !known {
		n = len(s.numbers)
		s.numbers[key] = n
	}
	s.fibers[id] = n
	return n
}

func (s *steps) object(o any, created bool) object {
	known, found := s.objects[o]
	if !found {
		known = object{len(s.objects), reflect.TypeOf(o), created}
		s.objects[o] = known
	}
	return known
}

// decided: after the decision of a node the next step is that of a fiber.
func (s *steps) decided(node, number int, options []int) { s.start(number, node).options = options }

// touched is scheduler.Config.Touched.
func (s *steps) touched(id fiber.ID, objects []any) {
	n := s.number(id)
	e := s.last()
	switch {
	case len(objects) > 0:
		for _, o := range objects {
			s.use(e, o)
		}
		return
	case e == nil || e.fiber != n || !e.fresh:
		e = s.start(n, -1)
	}
	e.all, e.fresh = false, false
}

func (s *steps) use(e *event, o any) {
	if e == nil {
		return
	}
	switch o := o.(type) {
	case nil:
		e.all = true
	case scheduler.Created:
		s.object(o.Object, true)
	case scheduler.Read:
		s.useOf(e, s.object(o.Object, false), false)
	default:
		s.useOf(e, s.object(o, false), true)
	}
}

func (s *steps) useOf(e *event, of object, write bool) {
	i, known := s.used[of.number]
	if !known {
		i, s.used[of.number] = -1, len(e.uses)
	}
	e.uses = merge(e.uses, use{write, of}, i)
}

// advanced notes that the time has advanced, which happens only when no fiber is ready.
func (s *steps) advanced(now fiber.Time) {
	if now != s.now && len(s.events) > 0 {
		s.start(clock, -1).fresh = false
	}
	s.now = now
}

// observe is scheduler.Config.Observer.
func (s *steps) observe(t scheduler.Transition) {
	e := s.last()
	switch t.Op {
	case op.Spawn:
		s.observeSpawn(t.ID, e)
	case op.Deliver, op.Wake:
		s.observeWake(t, e)
	case op.Complete, op.Hold, op.Move, op.Lend, op.Pump, op.Expire, op.Submit, op.Acquire, op.Release:
		s.use(e, nil)
		s.woken(t.ID)
	case op.Cancel, op.Kill:
		if e != nil && t.Answer == "" {
			s.use(e, nil)
			s.woken(t.ID)
		}
	}
}

// observeWake: a refused delivery came too late, or too early, for some wait of its fiber.
func (s *steps) observeWake(t scheduler.Transition, e *event) {
	switch t.Answer {
	case "", fiber.Woken.String():
		s.woken(t.ID)
	case fiber.Latched.String():
	default:
		s.use(e, nil)
	}
}

func (s *steps) observeSpawn(id fiber.ID, parent *event) {
	if parent == nil || parent.fiber == clock {
		s.spawned(id, clock)
		return
	}
	n := s.spawned(id, parent.fiber)
	s.wakes[n] = append(s.wakes[n], len(s.events)-1)
}

// woken: the event under way has ended the wait of a fiber, if that could not run anyway.
func (s *steps) woken(id fiber.ID) {
	root, isRoot := id.Regular()
	n, known := s.fibers[root.ID()]
	switch {
	case len(s.events) == 0 || id == 0:
	case !isRoot || !known:
		s.use(s.last(), nil)
	case s.last().fiber != n && !slices.Contains(s.last().options, n):
		s.wakes[n] = append(s.wakes[n], len(s.events)-1)
	}
}
