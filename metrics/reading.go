package metrics

import (
	"time"

	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/scheduler"
)

// reading is the numbers of a scheduler as of one moment between two operations.
type reading struct {
	at                      time.Time
	counts                  scheduler.Counts
	fibers                  fiberStates
	inFlight                operationStates
	operations              ioqueue.Counters
	calls, timers           int
	transitions, unrecorded uint64
	clock                   time.Duration
	wakes, slices           *recorder.Histogram // nil without a Recorder
	island                  bool
	executed, refused       uint64 // commands of the island
	groups                  []group
	groupCount              int // also of those that are not shown
}

// fiberStates and operationStates are how many fibers and operations there are in which state.
type (
	fiberStates     struct{ runnable, held, running, blocked int }
	operationStates struct{ submitted, awaited, complete, abandoned int }
)

// read is the owner's.
func (s *Source) read() *reading {
	of := s.of.Core.Inspect()
	r := &reading{
		counts: of.Counts(), calls: of.LiveTrampolines(), operations: s.of.Core.Ops().Counters(), transitions: of.Transitions(),
		clock: time.Duration(s.of.Core.Now()), at: s.collector.now(),
	}
	r.timers, _ = of.Timers(0, nil)
	r.fibers.runnable, r.fibers.held, r.fibers.running, r.fibers.blocked = of.FibersByState()
	r.inFlight.submitted, r.inFlight.awaited, r.inFlight.complete, r.inFlight.abandoned = of.OperationsByState()
	if rec := s.of.Recorder; rec != nil {
		rec.Flush()
		r.unrecorded = of.Unrecorded()
		if wakes, slices, kept := rec.Histograms(); kept {
			r.wakes, r.slices = &wakes, &slices
		}
	}
	if isle := s.isle.Load(); isle != nil {
		r.island = true
		r.executed, r.refused = isle.Counts()
	}
	s.memory = of.Groups(s.memory)
	r.groups, r.groupCount = sumByName(s.memory, s.collector.groups), len(s.memory)
	return r
}
