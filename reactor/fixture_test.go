package reactor_test

import (
	"context"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
)

type (
	slice = reactor.Slice[payload]
	sched = scheduler.Scheduler[payload]
)

// payload is that of a test's fiber: its slices, and the answer of its last operation.
type payload struct {
	group reactor.Group
	steps []func(s *slice) fiber.Outcome
	at    int
	got   int
	ok    bool
	ended fiber.Code
	token fiber.Token
}

// stepMachine runs one step in each slice, and returns after the last.
type stepMachine struct{}

func (stepMachine) Group(p *payload) reactor.Group { return p.group }

func (stepMachine) Resume(s *slice) fiber.Outcome {
	p := s.Data
	if p.at == len(p.steps) {
		return s.Return(p.got, nil)
	}
	p.at++
	return p.steps[p.at-1](s)
}

// then is a step that calls f and goes on.
func then(f func(s *slice)) func(*slice) fiber.Outcome {
	return func(s *slice) fiber.Outcome {
		f(s)
		return fiber.Outcome{Kind: fiber.FrameChanged}
	}
}

// receive and send are operations on channels.
type receive struct{ from *wait.Chan[int] }

func (op receive) Begin(s *sched, p *payload) {
	v, status, w := op.from.TryRecv()
	if status == wait.Empty {
		if err := op.from.ParkRecv(s.ArmOn(op.from.Source()), 0); err != nil {
			panic(err)
		}
		return
	}
	s.Apply(w)
	p.got, p.ok, p.ended = v, status == wait.Received, fiber.OK
}

func (op receive) End(_ *sched, p *payload, t fiber.Ticket, r fiber.Result) {
	p.got, p.ok = op.from.Collect(t)
	p.ended = r.Code
}

type send struct {
	to *wait.Chan[int]
	v  int
}

func (op send) Begin(s *sched, p *payload) {
	ok, w, err := op.to.TrySend(op.v)
	switch {
	case err != nil:
		p.ok = false
	case ok:
		s.Apply(w)
		p.ok = true
	default:
		if err := op.to.ParkSend(s.ArmOn(op.to.Source()), op.v, 0); err != nil {
			panic(err)
		}
	}
}

func (op send) End(_ *sched, p *payload, _ fiber.Ticket, r fiber.Result) {
	p.ok, p.ended = r.Code == fiber.OK, r.Code
}

func receives(ch *wait.Chan[int]) func(*slice) fiber.Outcome {
	return func(s *slice) fiber.Outcome { return s.Await(receive{ch}) }
}

func sends(ch *wait.Chan[int], v int) func(*slice) fiber.Outcome {
	return func(s *slice) fiber.Outcome { return s.Await(send{ch, v}) }
}

func sleeps(until fiber.Time) func(*slice) fiber.Outcome {
	return func(*slice) fiber.Outcome { return fiber.BlockOn(fiber.Until(until)) }
}

func newReactor(t *testing.T, cfg reactor.Config) *reactor.Reactor[payload] {
	t.Helper()
	r, err := reactor.New(cfg, stepMachine{})
	require.NoError(t, err)
	return r
}

// spawn spawns a fiber before the run.
func spawn(t *testing.T, r *reactor.Reactor[payload], g reactor.Group, steps ...func(*slice) fiber.Outcome) fiber.RegularID {
	t.Helper()
	id, err := r.Scheduler().Spawn(payload{group: g, steps: steps})
	require.NoError(t, err)
	return id
}

func run(r *reactor.Reactor[payload], steps ...func(*slice) fiber.Outcome) (any, error) {
	return r.Run(context.Background(), payload{steps: steps})
}

// inEveryConfig runs a test inline and on one to eight workers, ordered and not.
func inEveryConfig(t *testing.T, test func(t *testing.T, cfg reactor.Config)) {
	for name, cfg := range map[string]reactor.Config{
		"inline": {}, "one worker": {Workers: 1}, "two workers": {Workers: 2}, "eight workers": {Workers: 8},
		"in order": {Workers: 4, Ordered: true}, "no line": {Workers: 2, InFlight: 1},
	} {
		t.Run(name, func(t *testing.T) { test(t, cfg) })
	}
}
