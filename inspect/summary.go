package inspect

import (
	"net/http"
	"sync"
	"time"
)

// Running is the verdict of a run that has not ended.
const Running = "running"

// Summary is what the head of the page shows. It takes the owner a fraction of a microsecond, however many
// fibers there are.
type Summary struct {
	Version int    `json:"version"`
	Program string `json:"program"` // its name, from Config
	Ending
	Transitions uint64 `json:"transitions"`
	Now         int64  `json:"now"`     // nanoseconds of the scheduler's clock
	Wall        int64  `json:"wall"`    // nanoseconds since the inspector was made
	Fibers      int    `json:"fibers"`  // alive
	Blocked     int    `json:"blocked"` // of them
	Active      int    `json:"active"`  // of them, runnable or running
	Calls       int    `json:"calls"`   // native calls in flight
	Spawned     uint64 `json:"spawned"`
	Ended       uint64 `json:"ended"`
	Killed      uint64 `json:"killed"`
	Rates       Rates  `json:"rates"`
	Snapshots   uint64 `json:"snapshots"` // that the inspector has taken
	Control     bool   `json:"control"`   // Config.Control: fibers can be cancelled, killed and paused
	Values      bool   `json:"values"`    // Config.Values
	History     bool   `json:"history"`   // there is a Config.History
	Islands     int    `json:"islands"`   // that there are now; 0 if the program has made none, and after the run
}

// Rates are per second of wall time, since the summary before.
type Rates struct {
	Transitions float64 `json:"transitions"`
	Spawned     float64 `json:"spawned"`
	Ended       float64 `json:"ended"`
}

// samples shares one summary among all that ask for one within an interval.
type samples struct {
	began    time.Time
	interval time.Duration

	mu     sync.Mutex
	last   *Summary
	taken  time.Time
	flight *sampling
}

// sampling is a summary under way.
type sampling struct {
	done    chan struct{}
	summary *Summary
	err     error
}

// summary is the state of the run now, or at most an interval ago. It belongs to all.
func (h *Handler) summary() (*Summary, error) {
	s := &h.samples
	s.mu.Lock()
	if s.last != nil && time.Since(s.taken) < s.interval && (s.last.Verdict == Running) == (h.how() == nil) {
		defer s.mu.Unlock()
		return s.last, nil
	}
	f := s.flight
	if f != nil {
		s.mu.Unlock()
		<-f.done
		return f.summary, f.err
	}
	f = &sampling{done: make(chan struct{}), err: errUnanswered}
	s.flight = f
	s.mu.Unlock()
	defer s.land(f) // also if Config.Islands panics
	fresh := h.blank()
	fresh.Snapshots = h.views.taken.Load()
	if f.err = h.owner.do(func() { h.sample(fresh) }); f.err == nil {
		f.summary = fresh
	}
	return f.summary, f.err
}

// blank is a summary without what the scheduler says.
func (h *Handler) blank() *Summary {
	s := &Summary{Version: Version, Program: h.cfg.Program, Ending: Ending{Verdict: Running},
		Control: h.cfg.Control, Values: h.cfg.Values, History: h.cfg.History != nil, Islands: h.sets.count()}
	if e := h.how(); e != nil {
		s.Ending = *e
	}
	return s
}

// sample is the owner's.
func (h *Handler) sample(s *Summary) {
	of := h.cfg.Core.Inspect()
	counts := of.Counts()
	s.Transitions, s.Now, s.Wall = of.Transitions(), int64(h.cfg.Core.Now()), int64(time.Since(h.samples.began))
	s.Fibers, s.Blocked, s.Calls = of.Live(), of.Blocked(), of.LiveTrampolines()
	s.Active = s.Fibers - s.Blocked
	s.Spawned, s.Ended, s.Killed = counts.Spawned, counts.Ended, counts.Killed
}

func (s *samples) land(f *sampling) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(f.done)
	s.flight = nil
	if f.err != nil {
		return
	}
	if last := s.last; last != nil {
		f.summary.Rates = f.summary.since(last)
	}
	s.last, s.taken = f.summary, time.Now()
}

// since are the rates between an earlier summary and this one.
func (s *Summary) since(last *Summary) Rates {
	seconds := float64(s.Wall-last.Wall) / 1e9
	if seconds <= 0 {
		return last.Rates
	}
	per := func(now, before uint64) float64 { return float64(now-before) / seconds }
	return Rates{per(s.Transitions, last.Transitions), per(s.Spawned, last.Spawned), per(s.Ended, last.Ended)}
}

func (h *Handler) serveSummary(w http.ResponseWriter, _ *http.Request) {
	s, err := h.summary()
	if err != nil {
		unavailable(w, err)
		return
	}
	reply(w, http.StatusOK, s)
}
