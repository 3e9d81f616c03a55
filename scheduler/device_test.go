package scheduler

import (
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// countingDevice is a device that completes what it was given when it is served, and records
// the tokens it should cancel.
type countingDevice struct {
	core      *Core
	given     []fiber.Token
	cancelled []fiber.Token
}

func (m *countingDevice) Serve(abandoned []fiber.Token) {
	m.cancelled = append(m.cancelled, abandoned...)
	for _, tok := range m.given {
		m.core.Ops().Complete(tok, ioqueue.Completion{N: 1})
	}
	m.given = nil
}

func TestADeviceIsServedAtEveryPollBeforeTheNextBatch(t *testing.T) {
	g := newTestScheduler(t, Config{})
	m := &countingDevice{core: &g.Core}
	g.Ops().AddDevice(m)
	id := g.spawnRunning(Options{})
	tok := g.submit()
	m.given = append(m.given, tok)
	g.BlockForIO(tok)
	if !g.Poll() {
		t.Fatal("the device was not served, or too late for the batch")
	}
	g.wakesWith(id, fiber.OK)
	if done, ok := g.Ops().Completion(tok); !ok || done.N != 1 {
		t.Fatalf("the completion is %v, %v", done, ok)
	}
}

func TestEveryDeviceReceivesAbandonedTokens(t *testing.T) {
	g := newTestScheduler(t, Config{})
	first, second := &countingDevice{core: &g.Core}, &countingDevice{core: &g.Core}
	g.Ops().AddDevice(first)
	g.Ops().AddDevice(second)
	id := g.spawnRunning(Options{})
	tok := g.submit()
	g.BlockForIO(tok)
	_ = g.Kill(id.ID(), nil)
	g.Poll()
	g.Poll() // and told once
	for _, m := range []*countingDevice{first, second} {
		if len(m.cancelled) != 1 || m.cancelled[0] != tok {
			t.Fatalf("told to cancel %v, want %v", m.cancelled, tok)
		}
	}
}

// echo answers whatever it is asked at the next poll.
type echo struct {
	core  *Core
	asked []fiber.Token
}

func (e *echo) Serve([]fiber.Token) {
	for _, tok := range e.asked {
		e.core.Ops().Complete(tok, ioqueue.Completion{Value: "answer"})
	}
	e.asked = nil
}

// A device gets the token of an operation, and completes it when it is served.
func ExampleDevice() {
	s := New[int](Config{})
	e := &echo{core: &s.Core}
	s.Ops().AddDevice(e)
	_, _ = s.Spawn(0)
	s.Poll()
	s.ScheduleNext()
	tok, _ := s.Ops().Submit()
	e.asked = append(e.asked, tok)
	s.BlockForIO(tok)

	s.Poll()
	s.ScheduleNext()
	s.Claim()
	done, _ := s.Ops().Completion(tok)
	fmt.Println(done.Value)
	// Output: answer
}
