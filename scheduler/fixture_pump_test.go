package scheduler

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// fiberBody is the body of a fiber whose every native call stands on the test's own stack: it
// runs from its beginning to its end in one slice, and waits by pumping.
type fiberBody func() fiber.Outcome

// pumpScheduler is a scheduler of fibers that all nest, with their notes in order.
type pumpScheduler struct {
	*Scheduler[fiberBody]
	t     *testing.T
	notes []string
}

func newPumpScheduler(t *testing.T, cfg Config) *pumpScheduler {
	p := &pumpScheduler{Scheduler: New[fiberBody](cfg), t: t}
	t.Cleanup(func() {
		if !t.Failed() {
			p.Inspect().Verify()
		}
	})
	return p
}

// Resume is the machine of the pumpScheduler.
func (p *pumpScheduler) Resume(_ *Scheduler[fiberBody], f *Fiber[fiberBody]) fiber.Outcome {
	return f.Data()
}

func (p *pumpScheduler) spawnReady(o Options, body func()) fiber.RegularID {
	p.t.Helper()
	o.Nests = true
	id, err := p.SpawnWith(func() fiber.Outcome { body(); return done }, o)
	if err != nil {
		p.t.Fatalf("Spawn: %v", err)
	}
	return id
}

// run drives the pumpScheduler until all have ended.
func (p *pumpScheduler) run() {
	p.t.Helper()
	if err := p.Run(context.Background(), p); err != nil || p.Inspect().Live() != 0 || p.Inspect().LiveTrampolines() != 0 {
		p.t.Fatalf("the run ended with %v, %d fibers and %d calls alive", err, p.Inspect().Live(), p.Inspect().LiveTrampolines())
	}
}

// call runs body as a native call of the current fiber.
func (p *pumpScheduler) call(body func(id fiber.TrampolineID)) {
	id, err := p.AcquireTrampoline()
	if err != nil {
		p.t.Fatalf("AcquireTrampoline: %v", err)
	}
	defer p.ReleaseTrampoline(id)
	body(id)
}

// wait blocks the executing call, pumps, and tells how the wait ended.
func (p *pumpScheduler) wait(r fiber.Reason, park func(fiber.Ticket)) (fiber.Code, error) {
	p.t.Helper()
	root, call := p.Current(), p.Inspect().Executing()
	ticket := p.Arm(r)
	if park != nil {
		park(ticket)
	}
	var verdict error
	if p.Block() == Pinned {
		verdict = p.Calls().Pump(p)
	}
	if p.Current() != root || p.Inspect().Executing() != call {
		p.t.Errorf("%v above %v came back as %v above %v", call, root, p.Inspect().Executing(), p.Current())
	}
	_, result := p.Claim()
	return result.Code, verdict
}

func (p *pumpScheduler) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

func (p *pumpScheduler) wantNotes(want ...string) {
	p.t.Helper()
	if !slices.Equal(p.notes, want) {
		p.t.Fatalf("told %q, not %q", p.notes, want)
	}
}
