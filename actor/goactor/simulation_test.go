package goactor_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// simulation is a system in which everything happens that can, chosen by seeded generators: that of
// the system for synchronous actors, that of the scheduler for fibers and the outside. A seed
// is a run.
type simulation struct {
	*actor.System[message]
	rt      *stackful.Runtime
	steps   int // that fibers and the outside may still take
	letters uint64
	started []fiber.ID
}

// message is a message of the simulation.
type message struct {
	Say  string       `json:"say"`
	From actor.Handle `json:"from"`
	Left int          `json:"left"` // how often a synchronous actor may pass it on
}

type (
	simContext = actor.Context[message]
	plan       = actor.Spec[message]
)

func newSimulation(tb testing.TB, seed uint64) *simulation {
	sim := &simulation{rt: stackful.New(stackful.Config{Config: scheduler.Config{Seed: seed}})}
	tb.Cleanup(sim.rt.Close)
	var err error
	sim.System, err = goactor.New(sim.rt, sim.plan("mayor"), actor.Options[message]{
		Seed: seed, Fuel: 5, MaxActors: 20, MaxQueue: 100, MaxOutputs: 3,
		DeadLetter: func(l actor.DeadLetter[message]) {
			sim.letters++
			if errors.Is(l.Why, actor.ErrUnread) {
				_ = sim.Outside().Send(sim.Input(), message{Say: "undelivered", Left: 1})
			}
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	kills := rand.New(rand.NewPCG(seed, 1)) // of fibers, by the host
	sim.Use(func(c *actor.Command[message]) bool {
		if n := kills.IntN(100); n < min(3, len(sim.started)) { // a replay starts none
			_ = sim.rt.Scheduler().Kill(sim.started[len(sim.started)-1-n], nil) // it may have ended
		}
		if c.Op != actor.OpSpawn && c.To != sim.Input() && sim.Random().IntN(20) == 0 {
			return false
		}
		return true
	})
	return sim
}

// plan is what a simContext of a name is made of; those whose name begins with "s" are synchronous.
func (sim *simulation) plan(name string) plan {
	p := plan{Name: name, Inbox: 1 + len(name)%3, Full: actor.Policy(len(name) % 3)}
	p.Supervise = actor.Supervision{Strategy: actor.Strategy(len(name) % 3), Backoff: time.Duration(len(name) % 2), MaxRestarts: 20}
	switch {
	case name == "mayor":
		p.Inbox = 0
		p.Supervise = actor.Supervision{Strategy: actor.OneForOne, MaxRestarts: 1000}
		p.New = actor.Stateless(func(cx *simContext, e message) { sim.live(cx, sim.Random(), e.Left) })
	case name[0] == 's':
		p.New = actor.Stateless(func(cx *simContext, e message) { sim.live(cx, sim.Random(), e.Left) })
	default:
		p.Start = goactor.Start(sim.rt, sim.fiber)
	}
	return p
}

func (sim *simulation) fiber(f *stackful.Fiber, cx *simContext) error {
	rng := sim.rt.Scheduler().Inspect().Random()
	sim.started = append(sim.started, f.ID())
	for {
		_, err := goactor.RecvUntil(f, cx, f.Within(time.Duration(1+rng.IntN(5))))
		if err != nil && !errors.Is(err, stackful.ErrTimeout) {
			return err
		}
		switch rng.IntN(12) {
		case 0:
			return nil
		case 1:
			return errors.New("tired")
		case 2:
			err = f.Sleep(time.Duration(rng.IntN(4)))
		case 3, 4, 5:
			for i := 0; i < 4 && (err == nil || !errors.As(err, new(*stackful.Interrupt))); i++ {
				err = goactor.SendUntil(f, cx, whom(rng), message{"flood", cx.Self(), 2}, f.Within(3))
			}
		}
		if errors.As(err, new(*stackful.Interrupt)) {
			return err
		}
		sim.act(cx, rng)
	}
}

// whom is an actor that may be alive.
func whom(rng *rand.Rand) actor.Handle {
	return actor.Handle(1+rng.IntN(8)) | actor.Handle(1+rng.IntN(10)/8)<<32
}

// act is live of a fiber or the outside.
func (sim *simulation) act(cx *simContext, rng *rand.Rand) {
	if sim.steps--; sim.steps > 0 {
		sim.live(cx, rng, 1+rng.IntN(3))
	}
}

// live does some things; what is refused is refused. Only the mayor and the outside never fail.
func (sim *simulation) live(cx *simContext, rng *rand.Rand, left int) {
	mayFail := cx.Self() != sim.Input() && cx.Self() != actor.Outside
	for range min(left, 1+rng.IntN(3)) {
		to := whom(rng)
		switch rng.IntN(14) {
		case 0, 1:
			name := strings.Repeat("s", rng.IntN(2)) + strings.Repeat("a", 1+rng.IntN(3))
			_, _ = cx.Spawn(sim.plan(name))
		case 2:
			_ = cx.Watch(to, func(d actor.Death) message {
				if mayFail && rng.IntN(6) == 0 {
					panic("cannot bear it")
				}
				return message{fmt.Sprint("mourns ", d.Cause), d.Actor, left - 1}
			})
		case 3:
			cx.Unwatch(to)
		case 4:
			if mayFail && to != sim.Input() {
				_ = cx.Link(to)
			}
		case 5:
			if to != sim.Input() {
				_ = cx.Kill(to, nil)
			}
		case 6:
			if to != sim.Input() {
				_ = cx.Fail(to, errors.New("denounced"))
			}
		case 7:
			if mayFail {
				panic("as drawn")
			}
		case 8:
			_ = cx.Send(actor.Output, message{"out", cx.Self(), 0})
		default:
			_ = cx.Send(to, message{"gossip", cx.Self(), left - 1})
		}
	}
}

// run is a run with inputs from outside until nothing happens any more.
func (sim *simulation) run(tb testing.TB) {
	for range 12 {
		sim.steps = 30
		sim.act(sim.Outside(), sim.rt.Scheduler().Inspect().Random())
		for _, err := range sim.All(tb.Context()) {
			if err != nil && !errors.Is(err, actor.ErrIdle) && !errors.Is(err, actor.ErrEnded) {
				tb.Fatal(err)
			}
		}
		// No message is lost, and no dead letter told twice or not at all.
		if n := sim.Stats(); n.Sent != n.Delivered+n.Dead+n.Rejected+uint64(sim.Pending()) || n.Dead != sim.letters {
			tb.Fatalf("%+v, %d pending, %d dead letters were told", n, sim.Pending(), sim.letters)
		}
	}
}

// record is the journal of a run.
func record(tb testing.TB, seed uint64) string {
	tb.Helper()
	var out bytes.Buffer
	sim := newSimulation(tb, seed)
	r, err := actor.Record(sim.System, &out, actor.JSON[message]())
	if err != nil {
		tb.Fatal(err)
	}
	sim.run(tb)
	if err := r.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.String()
}

// replay runs the journal again.
func replay(tb testing.TB, seed uint64, journal io.Reader) error {
	sim := newSimulation(tb, seed)
	p, err := actor.NewPlayer(sim.System, journal, actor.JSON[message](), func(name string) (plan, error) { return sim.plan(name), nil })
	if err != nil {
		return err
	}
	return p.Play()
}
