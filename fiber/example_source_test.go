package fiber_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// gate is the smallest Source: fibers wait until it opens.
type gate struct {
	fiber.Anchor
	waiting []fiber.Ticket
}

func (g *gate) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	g.waiting = slices.DeleteFunc(g.waiting, func(w fiber.Ticket) bool { return w == t })
	return dst // no later fiber can continue because of it
}

func (g *gate) Holds(t fiber.Ticket) bool { return slices.Contains(g.waiting, t) }

// Open wakes all fibers: it returns which, and leaves the waking to its caller.
func (g *gate) Open(dst []fiber.Wakeup) []fiber.Wakeup {
	for _, t := range g.waiting {
		dst = append(dst, fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: fiber.OK}})
	}
	g.waiting = nil
	return dst
}

func ExampleSource() {
	first := fiber.Ticket{ID: fiber.NewRegularID(0, 1).ID(), Seq: 1}
	second := fiber.Ticket{ID: fiber.NewRegularID(1, 1).ID(), Seq: 2}
	g := &gate{waiting: []fiber.Ticket{first, second}}

	var s fiber.Source = g
	wake := s.Withdraw(first, nil) // its deadline passed
	fmt.Println(len(wake), s.Holds(first), s.Holds(second))
	wake = g.Open(wake)
	fmt.Println(wake[0].Ticket, wake[0].Result.Code)
	// Output:
	// 0 false true
	// f1.1#2 ok
}

func ExampleAnchor() {
	var g gate
	a := g.Anchored()
	fmt.Println(a.Bind(3, 0), a.Bind(3, 0), a.Bind(4, 0)) // one scheduler only

	a.SetSlot(17) // what the scheduler notes while a fiber waits
	fmt.Println(g.Slot())
	// Output:
	// true true false
	// 17
}

// Stamps tell apart two schedulers with the same number.
func ExampleAnchor_Bind() {
	var g gate
	const first, second = 7, 8
	fmt.Println(g.Bind(0, first), g.Bind(0, second), g.Bind(0, 0))
	// Output: true false true
}

// timedGate opens a gate at an instant.
type timedGate struct {
	gate
	at fiber.Time
}

func (b *timedGate) Deadline() fiber.Time { return b.at }

func (b *timedGate) Waiting() int { return len(b.waiting) }

func (b *timedGate) Due(_ fiber.Time, dst []fiber.Wakeup) []fiber.Wakeup {
	b.at = fiber.Never // once is enough
	return b.Open(dst)
}

func ExampleAlarm() {
	b := &timedGate{at: fiber.Time(0).After(time.Second)}
	b.waiting = append(b.waiting, fiber.Ticket{ID: fiber.NewRegularID(0, 1).ID(), Seq: 1})
	var a fiber.Alarm = b
	fmt.Println(a.Deadline())
	wake := a.Due(a.Deadline(), nil) // the scheduler's clock has come there
	fmt.Println(len(wake), a.Deadline())
	// Output:
	// 1s
	// 1 never
}

// letter is an Assigner: a value handed to a receiver stays here until it collects.
type letter struct {
	gate
	text   string
	unread []string
}

func (l *letter) Forfeit(_ fiber.Ticket, dst []fiber.Wakeup) ([]fiber.Wakeup, bool) {
	l.unread = append(l.unread, l.text)
	l.text = ""
	return dst, true
}

func ExampleAssigner() {
	l := &letter{text: "hello"} // assigned, not collected yet
	var a fiber.Assigner = l
	killed := fiber.Ticket{ID: fiber.NewRegularID(0, 1).ID(), Seq: 1}
	wakes, had := a.Forfeit(killed, nil)
	fmt.Println(l.unread, len(wakes), had)
	// Output: [hello] 0 true
}

// lock shows what a deadlock report asks, and what happens when the owner dies.
type lock struct {
	gate
	owner fiber.ID
}

func (l *lock) Describe() string                  { return "lock" }
func (l *lock) Holders(dst []fiber.ID) []fiber.ID { return append(dst, l.owner) }

// OwnerDied hands the lock to the longest-waiting fiber; there is no moment of no owner.
func (l *lock) OwnerDied(owner fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	if l.owner != owner || len(l.waiting) == 0 {
		return dst
	}
	next := l.waiting[0]
	l.owner, l.waiting = next.ID, l.waiting[1:]
	return append(dst, fiber.Wakeup{Ticket: next, Result: fiber.Result{Code: fiber.OK}})
}

func ExampleDescribed() {
	var d fiber.Described = &lock{owner: fiber.NewRegularID(2, 1).ID()}
	fmt.Println(d.Describe(), "held by", d.Holders(nil))
	// Output: lock held by [f2.1]
}

// bench is a Barrier: who wants the whole of it stands before those who want a seat.
type bench struct {
	lock
	wantsAll bool // the first in line
}

func (b *bench) HoldsBack() bool { return b.wantsAll && len(b.waiting) > 1 }

func ExampleBarrier() {
	b := &bench{wantsAll: true}
	b.waiting = make([]fiber.Ticket, 2)
	var s fiber.Barrier = b
	fmt.Println("the second may go on if the first gives up:", s.HoldsBack())
	// Output: the second may go on if the first gives up: true
}

func ExampleOwnerHook() {
	owner := fiber.NewRegularID(2, 1).ID()
	next := fiber.Ticket{ID: fiber.NewRegularID(5, 1).ID(), Seq: 8}
	l := &lock{owner: owner, gate: gate{waiting: []fiber.Ticket{next}}}

	var hook fiber.OwnerHook = l
	wake := hook.OwnerDied(owner, nil)
	fmt.Println("woken:", wake[0].Ticket, "owner:", l.owner)
	// Output: woken: f5.1#8 owner: f5.1
}
