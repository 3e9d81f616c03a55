package faults

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// client is a fiber of a World: it has an operation done, again and again.
type client struct {
	tok fiber.Token // what it waits for
}

// wait is a fiber's wait for an operation.
type wait struct {
	id  fiber.ID
	tok fiber.Token
}

// World is a scheduler with clients, and a device that faults. The first difference
// between the scheduler and the ledger stays in Err.
type World struct {
	Device *Device
	// Err is what was wrong first, or nil.
	Err error

	s       *scheduler.Scheduler[client]
	other   *scheduler.Scheduler[client] // another one, whose tokens come here too
	clock   *scheduler.VirtualClock
	rnd     *rand.Rand
	ledger  ledger
	clients int
	kills   map[int][]wait             // by turn: what the device has decided
	awaits  map[fiber.ID]wait          // who waits
	dated   map[fiber.Token]fiber.Time // deadlines that have not passed
	given   []fiber.Token              // some that were given out, the last ones
	foreign []fiber.Token              // the other scheduler's
}

// NewWorld makes a world of that many clients.
func NewWorld(seed uint64, clients int, p Profile) *World {
	clock := scheduler.NewVirtualClock()
	w := &World{
		clock:   clock,
		s:       scheduler.New[client](scheduler.Config{Number: 1, Clock: clock}),
		other:   scheduler.New[client](scheduler.Config{Number: 2}),
		rnd:     rand.New(rand.NewPCG(seed, 1)),
		ledger:  ledger{tokens: map[fiber.Token]*entry{}},
		clients: clients,
		kills:   map[int][]wait{},
		awaits:  map[fiber.ID]wait{},
		dated:   map[fiber.Token]fiber.Time{},
	}
	w.Device = &Device{Profile: p, w: w, rnd: rand.New(rand.NewPCG(seed, 2)), due: map[int][]arrival{}}
	w.submitElsewhere()
	return w
}

// submitElsewhere has the other scheduler give out tokens with the same small numbers.
func (w *World) submitElsewhere() {
	_, _ = w.other.Spawn(client{})
	w.other.Poll()
	w.other.ScheduleNext()
	for range 200 {
		tok, err := w.other.Ops().Submit()
		w.check(err == nil, "the other scheduler: %v", err)
		w.foreign = append(w.foreign, tok)
	}
}

// Turn lets everybody have a turn: what is due arrives, and every client that can runs.
func (w *World) Turn() {
	w.clock.Advance(w.s.Now() + 1)
	w.Device.deliver()
	w.kill()
	for w.s.Inspect().Live() < w.clients {
		_, err := w.s.Spawn(client{})
		w.check(err == nil, "spawn: %v", err)
	}
	w.run()
}

// run serves the scheduler until nobody is ready.
func (w *World) run() {
	for w.poll() {
		for f := w.s.ScheduleNext(); f != nil; f = w.s.ScheduleNext() {
			w.slice(&f.Data)
		}
	}
}

// poll serves commands and then deadlines; after it the ledger knows which have passed.
func (w *World) poll() bool {
	ready := w.s.Poll()
	for tok, deadline := range w.dated {
		if deadline <= w.s.Now() {
			delete(w.dated, tok)
			if w.ledger.tokens[tok].standing == awaited {
				w.ledger.givesUp(tok)
			}
		}
	}
	return ready
}

// slice is one of a client: it collects what it has waited for, and begins again.
func (w *World) slice(c *client) {
	if c.tok != 0 {
		w.collect(c)
	}
	tok, err := w.s.Ops().Submit()
	w.check(err == nil, "submit: %v", err)
	c.tok = tok
	w.remember(tok)
	w.ledger.submit(tok)
	id := w.s.Current()
	w.awaits[id] = wait{id, tok}
	w.Device.start(tok)
	waits := w.ledger.waits(tok)
	reason := fiber.OnIO(tok)
	if w.rnd.IntN(4) == 0 {
		reason = reason.WithDeadline(w.s.Now() + fiber.Time(1+w.rnd.IntN(2*usual)))
		w.dated[tok] = reason.Deadline
	}
	w.s.Arm(reason)
	how := w.s.Block()
	w.check((how == scheduler.Parked) == waits, "token %d: %v, it is to wait: %v", tok, how, waits)
}

// remember keeps the last tokens that were given out.
func (w *World) remember(tok fiber.Token) {
	if w.given = append(w.given, tok); len(w.given) > 2000 {
		w.given = append(w.given[:0], w.given[1000:]...)
	}
}

// collect compares how the wait has ended with the ledger.
func (w *World) collect(c *client) {
	delete(w.awaits, w.s.Current())
	delete(w.dated, c.tok)
	tok := c.tok
	c.tok = 0
	_, r := w.s.Claim()
	got, ok := w.s.Ops().Completion(tok)
	switch r.Code {
	case fiber.OK:
		w.check(ok && w.ledger.tokens[tok].standing == completed, "token %d ended well: %v, standing %d", tok, ok, w.ledger.tokens[tok].standing)
		want := w.ledger.takes(tok)
		w.check(same(got, want), "token %d: the fiber got %v, not %v", tok, got, want)
	case fiber.TimedOut:
		w.check(!ok, "token %d timed out and has a completion", tok)
		st := w.ledger.tokens[tok].standing
		w.check(st == abandoned || st == over, "token %d timed out, standing %d", tok, st)
	default:
		w.check(false, "token %d ended with %v", tok, r.Code)
	}
}

func same(a, b ioqueue.Completion) bool {
	return a.N == b.N && a.Err == b.Err && reflect.DeepEqual(a.Value, b.Value)
}

// complete brings a completion, and compares the answer with the ledger's.
func (w *World) complete(a arrival) {
	want := w.ledger.complete(a.tok, a.done)
	if w.Device.breaks != nil {
		a = w.Device.breaks(a)
	}
	got := w.s.Ops().Complete(a.tok, a.done)
	w.check(got == want, "a completion of token %d was answered %v, want %v", a.tok, got, want)
}

// check notes the first thing that is wrong.
func (w *World) check(ok bool, format string, args ...any) {
	if !ok && w.Err == nil {
		w.Err = fmt.Errorf("turn %d: "+format, append([]any{w.Device.turn}, args...)...)
	}
}
