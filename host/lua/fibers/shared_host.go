package fibers

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
)

// sharedGuest is what a Shared knows of one of its Hosts. All but called is the owner's.
type sharedGuest struct {
	called  atomic.Bool // a Run or Call of the Host has not returned
	place   int         // in Shared.hosts
	removed bool
	emptied chan struct{} // closed when it has no fibers any more; nil if nothing waits for that

	run    *guestRun        // the call under way, or nil
	next   *guestRun        // which begins when the fibers of the last one have ended
	stuck  *scheduler.Group // of the last call, if that deadlocked
	parked int              // fibers whose last time slice ended in a wait
	// Two fibers whose waits may end without another fiber: the one that was parked last, and the one for
	// which that was found before.
	last, sleeper fiber.ID
	changed       bool
}

// fibers is how many fibers the Group has, with those below it.
func fibersOf(g *scheduler.Group) int64 { return g.Account().Spent().Fibers }

// add makes a Host one of the Shared.
func (s *Shared) add(h *Host, group func()) {
	err := s.do(func() {
		group()
		h.env.group.SetProgram(&scheduler.Program{Unobserved: h.env.cfg.Runtime.Unobserved, Owner: h})
		h.env.began = s.rt.Scheduler().Now()
		h.guest.place = len(s.hosts)
		s.hosts = append(s.hosts, h)
	})
	if err != nil {
		panic("fibers: New on a Shared that is closed; make a new one: " + rule.Cite(rule.Closed))
	}
}

// remove ends the fibers of a Host, and returns when they have unwound and their operations have ended.
func (s *Shared) remove(h *Host) {
	emptied, isIdle := make(chan struct{}), false
	err := s.do(func() {
		if isIdle = s.owner.Serviced(); isIdle {
			s.rt.Scheduler().Steps().DrainCommands() // calls that were posted
		}
		h.guest.removed = true
		h.guest.emptied = emptied
		h.env.group.Kill(scheduler.ErrStopped)
		s.change(h)
		last := s.hosts[len(s.hosts)-1]
		s.hosts[h.guest.place], last.guest.place = last, h.guest.place
		s.hosts[len(s.hosts)-1] = nil
		s.hosts = s.hosts[:len(s.hosts)-1]
	})
	if err != nil {
		return // the Shared is closed, and has ended them
	}
	if isIdle {
		s.unwind(h)
	}
	timer := time.NewTimer(closeTimeout)
	defer timer.Stop()
	select {
	case <-emptied:
	case <-timer.C: // an operation that does not stop in time is abandoned
	}
}

// unwind runs the killed fibers of a Host while no run is under way. The others that are ready are paused
// meanwhile.
func (s *Shared) unwind(h *Host) {
	if !s.owner.Take() {
		return
	}
	defer s.release()
	sched := s.rt.Scheduler()
	var paused []fiber.ID
	for id := range sched.Inspect().Ready() {
		if hostOf(sched.Inspect().Group(id.ID())) != h {
			paused = append(paused, id.ID())
		}
	}
	for _, id := range paused {
		_ = sched.Attachments().Pause(id) // ready: cannot be ErrGone
	}
	for fibersOf(h.env.group) > 0 && sched.Steps().BeginBatch() { // no poll: the time stands still
		for f := sched.ScheduleNext(); f != nil; f = sched.ScheduleNext() {
			for sched.Finish((*sharedWork)(s).Resume(sched, f)) {
			}
		}
	}
	for _, id := range paused {
		_ = sched.Attachments().Resume(id) // paused: has not ended
	}
	if h.guest.emptied != nil { // operations that are left end without the Host
		close(h.guest.emptied)
		h.guest.emptied = nil
	}
}

// shutdown is Shutdown of a Host, whose fibers the owner of the Shared runs.
func (s *Shared) shutdown(ctx context.Context, h *Host, grace time.Duration) error {
	empty := false
	if s.do(func() { empty = fibersOf(h.env.group) == 0 }) != nil || empty {
		return nil
	}
	return h.env.group.Shutdown(ctx, func() <-chan time.Time { return time.After(grace) })
}

// look finds out whether the call of the Host is over, after the last slice of one of its fibers. The owner calls it.
func (h *Host) look() {
	g := &h.guest
	spent := h.env.group.Account().Spent()
	switch {
	case g.next != nil && fibersOf(g.stuck) == 0:
		next := g.next
		g.next, g.stuck = nil, nil
		next.begin()
	case g.run == nil:
	case fibersOf(g.run.group) == 0:
		g.run.end(nil)
	case int64(g.parked) != spent.Fibers || h.goesOn():
	case spent.Operations > 0: // one that no fiber waits for ends without a time slice
		h.shared.change(h)
	default:
		if dead := h.env.group.Deadlock(); dead != nil {
			g.run.end(dead)
		}
	}
	switch {
	case spent.Fibers > 0 || g.emptied == nil:
	case spent.Operations > 0: // a file may be written
		h.shared.change(h)
	default:
		h.env.group.ReportUnobserved()
		close(g.emptied)
		g.emptied = nil
	}
}

// goesOn tells whether one of the two fibers that are looked at first continues without another one.
func (h *Host) goesOn() bool {
	in := h.env.rt.Scheduler().Inspect()
	for _, id := range [...]fiber.ID{h.guest.last, h.guest.sleeper} {
		switch in.State(id) {
		case fiber.Dead:
			continue
		case fiber.Blocked:
			if r := in.Reason(id); r.Kind == fiber.Queue && r.Deadline == fiber.Never && !r.External {
				continue
			}
		}
		h.guest.sleeper = id
		return true
	}
	return false
}
