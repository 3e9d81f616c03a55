package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/recorder/timeline"
	"github.com/selvage-dev/selvage/scheduler"
)

// timelineFlags choose whether a run is drawn.
type timelineFlags struct {
	Timeline string `help:"Write what each fiber did when to this file, for ui.perfetto.dev and chrome://tracing: time slices, waits, and which fiber woke or spawned which." placeholder:"FILE"`
}

func (f timelineFlags) check(copies int, schedule string) error {
	switch {
	case f.Timeline == "":
		return nil
	case copies > 1:
		return errors.New("--timeline: there is one timeline for one program; leave --copies out")
	case schedule != "":
		return errors.New("--timeline: a run under a --schedule has none; leave --schedule out")
	}
	return nil
}

// drawn runs the guest, with --timeline recorded to its very end, however it ends.
func (s *session) drawn(guest func() error) error {
	if s.Timeline == "" {
		return guest()
	}
	file, err := os.Create(s.Timeline)
	if err != nil {
		return fmt.Errorf("cannot write the timeline: %w", err)
	}
	s.timeline, s.drawnSince = timeline.New(file), time.Now()
	ran := guest()
	if s.recorder != nil { // it came to a run
		s.recorder.Flush()
	}
	if err := errors.Join(s.timeline.Close(), file.Close()); err != nil {
		fmt.Fprintf(s.io.err, "selvage: cannot write the timeline: %v\n", err)
		if ran == nil {
			return status(statusUsage)
		}
	}
	return ran
}

// functionOf is the guest function that a fiber is in. The scheduler is there before the host that knows.
func (s *session) functionOf(id fiber.RegularID) string {
	if s.function == nil {
		return ""
	}
	return s.function(id)
}

// sinceDrawn is the clock of all recorders of a timeline.
func (s *session) sinceDrawn() int64 { return int64(time.Since(s.drawnSince)) }

// draw has a recorder tell the timeline all events. In virtual time it looks at the scheduler's clock whenever
// it reads its own.
func (s *session) draw(r *recorder.Config, cfg *scheduler.Config) {
	if s.timeline == nil {
		return
	}
	r.Exact, r.Each, r.Function, r.Clock = true, s.timeline.Event, s.functionOf, s.sinceDrawn
	if !s.Virtual {
		return
	}
	clock := scheduler.NewVirtualClock()
	cfg.Clock = clock
	var began time.Duration
	r.Clock = func() int64 {
		at := time.Duration(s.sinceDrawn())
		if began == 0 {
			began = at
		}
		s.timeline.Virtual(at-began, clock.Now())
		return int64(at)
	}
}
