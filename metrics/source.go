package metrics

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/scheduler"
)

// Scheduler is a scheduler for Collector.Add, with what belongs to it. Name and Core are required.
type Scheduler struct {
	// Name is the value of the label scheduler. Names are unique in a Collector.
	Name string
	Core *scheduler.Core
	// Recorder is that of the scheduler, with its Accounts; nil leaves out the histograms.
	Recorder *recorder.Recorder
	// Island is what the scheduler has joined a registry as; nil leaves out its commands.
	Island *island.Island
}

func newSource(c *Collector, of Scheduler) *Source {
	s := &Source{of: of, collector: c, inbox: of.Core.Inbox()}
	s.isle.Store(of.Island)
	return s
}

// Source is a scheduler that a Collector shows.
type Source struct {
	of        Scheduler
	collector *Collector
	inbox     *scheduler.Inbox
	memory    []scheduler.GroupState // the owner's
	isle      atomic.Pointer[island.Island]
	followed  bool // by Config.Follow

	mu      sync.Mutex
	asked   chan struct{} // closed when the owner has answered the question in its inbox; nil if none is there
	last    *reading      // nil before the first; never changed once it is here
	closed  bool          // the scheduler was, when it was last asked
	removed bool
}

// ask posts a question to the owner unless one is there. The channel is closed when it has answered; nil if it
// will not, because the scheduler is closed or its inbox full.
func (s *Source) ask() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked != nil || s.removed {
		return s.asked
	}
	asked := make(chan struct{})
	err := s.inbox.Do(s.answer)
	s.closed = errors.Is(err, scheduler.ErrStopped)
	if err != nil {
		return nil
	}
	s.asked = asked
	return asked
}

// answer is the owner's: it copies the numbers.
func (s *Source) answer() {
	s.Read()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.release()
}

// release ends the waiting of the scrapes. The caller holds mu.
func (s *Source) release() {
	if s.asked != nil {
		close(s.asked)
		s.asked = nil
	}
}

// Read has the Collector show the numbers of now until the next scrape that the owner answers. The owner of the
// scheduler calls it, between two slices, before nothing drives the scheduler any more: then the last numbers are those of the end.
func (s *Source) Read() {
	r := s.read()
	s.mu.Lock()
	s.last = r
	s.mu.Unlock()
}

// Remove ends that the Collector shows the scheduler, and that scrapes wait for its owner. Its name is free again. Any
// goroutine may call it; a second call has no effect.
func (s *Source) Remove() {
	c := s.collector
	c.mu.Lock()
	c.sources = slices.DeleteFunc(c.sources, func(o *Source) bool { return o == s })
	c.mu.Unlock()
	s.retire()
}

// retire ends that scrapes wait for the owner.
func (s *Source) retire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed = true
	s.release()
}

// view is what a scrape shows of a scheduler.
type view struct {
	*reading // nil if there was none yet
	fresh    bool
	closed   bool
	ended    bool          // it was followed, and is not to be shown any more
	age      time.Duration // of the reading
	queued   int           // commands in the inbox
	capacity int
}

// look is what there is to show. fresh says that the owner has answered this scrape.
func (s *Source) look(fresh bool, queued int) view {
	_, capacity := s.inbox.Queued()
	s.mu.Lock()
	defer s.mu.Unlock()
	v := view{reading: s.last, fresh: fresh && !s.removed, closed: s.closed, queued: queued, capacity: capacity, ended: s.followed && (s.closed || s.removed)}
	if s.last != nil {
		v.age = max(s.collector.now().Sub(s.last.at), 0)
	}
	return v
}
