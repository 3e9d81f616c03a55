package inspect

import (
	"cmp"
	"slices"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
)

// recent is how many of the last events a History of a recorder has.
const recent = 50_000

// Recorded is the History of a Recorder: its last 50,000 events. Reading them takes the owner time in proportion to all
// that is recorded, and is done anew at most once in twenty times that time. It uses about 10 MB.
func Recorded(r *recorder.Recorder) History { return &recording{of: r} }

// recording is what was read of a recorder.
type recording struct {
	of     *recorder.Recorder
	read   time.Time
	cost   time.Duration
	events []recorder.Event // the oldest first
	slices []Slice          // by their beginnings
	to     int64
}

// refresh is the owner's: it reads the events again, unless that was done a short time ago.
func (r *recording) refresh() {
	began := time.Now()
	if !r.read.IsZero() && began.Sub(r.read) < maxShare*r.cost {
		return
	}
	ring, total := r.events[:0], 0
	for e := range r.of.Events() {
		if len(ring) < recent {
			ring = append(ring, *e)
		} else {
			ring[total%recent] = *e
		}
		total++
	}
	if total > recent {
		ring = append(slices.Clone(ring[total%recent:]), ring[:total%recent]...)
	}
	r.events = ring
	r.slice()
	r.read = time.Now()
	r.cost = r.read.Sub(began)
}

// slice makes the periods of the events: each fiber is in the state that an event has begun until its next event.
func (r *recording) slice() {
	r.slices, r.to = r.slices[:0], 0
	open := map[fiber.ID]Slice{}
	for i := range r.events {
		e := &r.events[i]
		r.to = max(r.to, int64(e.At))
		if s, known := open[e.ID]; known {
			s.To = int64(e.Began)
			r.add(s)
		}
		if e.EndsSlice() {
			r.add(Slice{Fiber: e.ID, Name: e.Name, From: int64(e.Began), To: int64(e.At), State: fiber.Running.String()})
		}
		delete(open, e.ID)
		if state := stateAfter(e); state != "" {
			open[e.ID] = Slice{Fiber: e.ID, Name: e.Name, From: int64(e.At), State: state}
		}
	}
	for _, s := range open {
		s.To = r.to
		r.add(s)
	}
	slices.SortFunc(r.slices, func(a, b Slice) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Fiber, b.Fiber))
	})
}

func (r *recording) add(s Slice) {
	if s.To > s.From {
		r.slices = append(r.slices, s)
	}
}

// stateAfter is what a Slice calls the state that an event begins; empty if the fiber has ended.
func stateAfter(e *recorder.Event) string {
	switch {
	case e.To == fiber.Dead:
		return ""
	case e.To == fiber.Blocked && e.Kind != 0:
		return e.Kind.String()
	case e.To == fiber.Blocked:
		return fiber.Queue.String()
	}
	return e.To.String()
}

// Events has the newest events of a fiber.
func (r *recording) Events(of fiber.ID, n int) (events []Event) {
	r.refresh()
	for i := len(r.events) - 1; i >= 0 && len(events) < n; i-- {
		if e := &r.events[i]; e.ID == of {
			events = append(events, Event{At: int64(e.At), Transition: e.Number, What: r.of.Verb(e), Text: r.of.Details(e)})
		}
	}
	slices.Reverse(events)
	return events
}

// Slices has the last periods that overlap a time.
func (r *recording) Slices(from, to int64, n int) (found []Slice) {
	r.refresh()
	for i := len(r.slices) - 1; i >= 0 && len(found) < n; i-- {
		if s := r.slices[i]; s.From <= to && s.To >= from {
			found = append(found, s)
		}
	}
	slices.Reverse(found)
	return found
}

// Span is from the oldest event to the newest.
func (r *recording) Span() (from, to int64) {
	r.refresh()
	if len(r.events) == 0 {
		return 0, 0
	}
	return int64(r.events[0].Began), r.to
}
