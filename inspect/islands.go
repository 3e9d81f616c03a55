package inspect

import (
	"net/http"
	"sync"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
)

// maxListed is how many islands, ports, and waits at ports an answer has at most: a program makes as many as it likes.
const (
	maxListed  = 1_000
	maxSenders = 32 // of each port
)

// sets makes the SetReports of the islands. Requests share one for an interval, so that however many clients there
// are, an island has one request at most.
type sets struct {
	list     func() []Scheduler // Config.Islands
	core     *scheduler.Core    // whose owner is own, also after the run
	own      *owner
	interval time.Duration

	mu     sync.Mutex
	owners map[*scheduler.Core]*owner // of the islands that were there last
	last   *SetReport
	taken  time.Time
	flight chan struct{} // closed when last is new, or cannot be made; nil if none is being made
}

// serveIslands answers with the islands of the program and the ports between them.
func (h *Handler) serveIslands(w http.ResponseWriter, _ *http.Request) {
	if set := h.sets.get(); set != nil {
		reply(w, http.StatusOK, set)
		return
	}
	unavailable(w, errUnanswered)
}

// get is a SetReport of an interval ago at most, which belongs to all; nil if none can be made.
func (s *sets) get() *SetReport {
	s.mu.Lock()
	if s.last != nil && time.Since(s.taken) < s.interval {
		defer s.mu.Unlock()
		return s.last
	}
	if flight := s.flight; flight != nil {
		s.mu.Unlock()
		<-flight
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.last
	}
	flight := make(chan struct{})
	s.flight = flight
	s.mu.Unlock()
	var fresh *SetReport
	defer func() { // also if Config.Islands panics
		s.mu.Lock()
		defer s.mu.Unlock()
		defer close(flight)
		s.last, s.taken, s.flight = fresh, time.Now(), nil
	}()
	fresh = s.gather()
	return fresh
}

// count is how many islands there are.
func (s *sets) count() int { return len(s.present()) }

func (s *sets) present() []Scheduler {
	if s.list == nil {
		return nil
	}
	return s.list()
}

// gather asks all islands at once. It takes no longer than an owner may take.
func (s *sets) gather() *SetReport {
	all := s.present()
	left := max(len(all)-maxListed, 0)
	all = all[:len(all)-left]
	answers := make([]answer, len(all))
	var asked sync.WaitGroup
	for i, o := range s.ownersOf(all) {
		asked.Go(func() { answers[i] = all[i].by(o) })
	}
	asked.Wait()
	r := setReport(answers)
	r.Left = left
	r.shorten()
	return r
}

// ownersOf keeps the owners of the islands that are there, and forgets the others.
func (s *sets) ownersOf(all []Scheduler) []*owner {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, listed := map[*scheduler.Core]*owner{s.core: s.own}, make([]*owner, 0, len(all))
	for _, of := range all {
		o := now[of.Core]
		if o == nil {
			o = s.owners[of.Core]
		}
		if o == nil {
			o = s.own.another(of.Core)
		}
		now[of.Core] = o
		listed = append(listed, o)
	}
	s.owners = now
	return listed
}

// by is the answer of a scheduler through its owner.
func (s Scheduler) by(o *owner) (a answer) {
	if err := o.do(func() { a = s.look(false, Page{}) }); err != nil {
		return missing(s.Name, err.Error())
	}
	return a
}

// shorten leaves out the ports, senders and waits that are too many.
func (r *SetReport) shorten() {
	ports := min(len(r.Ports), maxListed)
	r.Left += len(r.Ports) - ports
	r.Ports = r.Ports[:ports]
	for i := range r.Ports {
		p := &r.Ports[i]
		p.Senders = p.Senders[:min(len(p.Senders), maxSenders)]
	}
	kept := r.Waits[:0]
	for _, w := range r.Waits {
		if w.Port < ports && len(kept) < maxListed {
			kept = append(kept, w)
		}
	}
	r.Left += len(r.Waits) - len(kept)
	r.Waits = kept
}
