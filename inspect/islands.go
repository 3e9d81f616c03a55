package inspect

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
)

// sets makes the SetReports of the islands. Requests share one of each form for an interval, so that however
// many clients there are, an island has one request of each form at most.
type sets struct {
	list     func() []Scheduler // Config.Islands
	core     *scheduler.Core    // whose owner is own, also after the run
	own      *owner
	interval time.Duration
	short    setForm // without a Report of each part
	whole    setForm

	mu     sync.Mutex
	owners map[*scheduler.Core]*owner // of the islands that were there last
}

// setForm is one form of a SetReport.
type setForm struct {
	mu     sync.Mutex
	last   *SetReport
	taken  time.Time
	flight chan struct{} // closed when last is new; nil if none is being made
}

// serveIslands answers with the islands of the program and the ports between them.
func (h *Handler) serveIslands(w http.ResponseWriter, r *http.Request) {
	switch fibers := r.URL.Query().Get("fibers"); fibers {
	case "", "0":
		reply(w, http.StatusOK, h.sets.get(&h.sets.short, false))
	case "1":
		reply(w, http.StatusOK, h.sets.get(&h.sets.whole, true))
	default:
		refuse(w, http.StatusBadRequest, fmt.Sprintf("fibers %q: want 1, for the report of each island, or 0", fibers))
	}
}

// get is a SetReport of an interval ago at most. It belongs to all.
func (s *sets) get(form *setForm, fibers bool) *SetReport {
	form.mu.Lock()
	if form.last != nil && time.Since(form.taken) < s.interval {
		defer form.mu.Unlock()
		return form.last
	}
	if flight := form.flight; flight != nil {
		form.mu.Unlock()
		<-flight
		form.mu.Lock()
		defer form.mu.Unlock()
		return form.last
	}
	flight := make(chan struct{})
	form.flight = flight
	form.mu.Unlock()
	fresh := s.gather(fibers)
	form.mu.Lock()
	defer form.mu.Unlock()
	defer close(flight)
	form.last, form.taken, form.flight = fresh, time.Now(), nil
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
func (s *sets) gather(fibers bool) *SetReport {
	all := s.present()
	answers := make([]answer, len(all))
	var asked sync.WaitGroup
	for i, o := range s.ownersOf(all) {
		asked.Go(func() { answers[i] = all[i].by(o, fibers) })
	}
	asked.Wait()
	return setReport(answers)
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
func (s Scheduler) by(o *owner, fibers bool) (a answer) {
	if err := o.do(func() { a = s.look(fibers, Page{}) }); err != nil {
		return missing(s.Name, err.Error())
	}
	return a
}
