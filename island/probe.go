package island

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// DefaultProbeAfter is how long an island sleeps, with nothing to hope for but other islands,
// before it probes.
const DefaultProbeAfter = 100 * time.Millisecond

// prober finds deadlocks that span islands. An island whose every fiber is blocked, and that
// nothing but other islands can wake, is stuck: it says so in a statement, which names those
// it depends on. Whoever has slept long enough reads the statements of all that it depends
// on, directly or not, and asks each of them whether it still says the same
// (probe_round.go). If all do they are in deadlock: at the moment between the reading and
// the questions each of them was stuck, and nothing was on its way to any of them.
//
// It needs what was sent before a question to be seen before it: an island looks at questions
// when it has looked at everything else. And nothing is missed, for whoever keeps silent,
// because it can go on, asks itself when it is stuck again and has slept long enough.
type prober struct {
	said atomic.Pointer[statement] // the owner's, for others to read

	// The owner's.
	blind bool // the verdict asked for is to leave the ports out
	slept fiber.Time
	since uint64     // the transitions when the present sleep began; slept: when it is long enough
	asked *statement // with which this island has asked
	due   bool       // ask at the next turn
	again bool       // even if it has asked with what it says
	tried bool       // in this turn; no more before something else has come
	later []question // that have come and were not looked at

	bell   bell
	mu     sync.Mutex
	put    []question // by others
	closed bool       // nobody looks at what is put any more
}

// statement is what an island says of itself while it is stuck. It does not change.
type statement struct {
	finding Finding
	upon    []*Island
	since   uint64 // the island's transitions
	grave   bool   // fibers wait here that are not just at rest until there is something to do
}

// Finding is one island of a deadlock that spans several, as it saw itself.
type Finding struct {
	Island Address
	Name   string
	Upon   []string // the names of the islands that could have sent to it
	Report *scheduler.Report
	isle   *Island
}

// rest is when the island wants to be served to ask, if it sleeps on. It asks once a sleep,
// and looks again whenever something has come that has woken no fiber: whom it depends on, or
// whether it is stuck at all, may be another matter then.
func (i *Island) rest(until fiber.Time) fiber.Time {
	p := &i.probes
	if i.cfg.ProbeAfter < 0 || i.stopping || i.deadlocked() || !i.hopes() {
		return until
	}
	if n := i.core.Inspect().Transitions(); p.slept == 0 || p.since != n {
		p.since, p.slept = n, i.core.Now().After(i.cfg.ProbeAfter)
	}
	switch {
	case p.tried || p.due:
		return until
	case i.core.Now() >= p.slept:
		p.due = true
		return i.core.Now()
	}
	return min(until, p.slept)
}

// hopes tells whether the island may go on because of others, and only of such as can be known.
func (i *Island) hopes() bool {
	return i.portAwaited() || i.team != nil || i.serves() && i.reg.isSealed()
}

// Probe asks now whether this island is in a deadlock with others; if it is, all of them
// will find Deadlock as their schedulers' verdict, and Deadlock tells the whole of it. The
// island does so by itself after it has slept for Config.ProbeAfter. The owner calls it.
func (i *Island) Probe() {
	i.probes.due, i.probes.again = true, true
	i.serveProbes()
}

// Deadlock is the deadlock in which this island was found to be with others, or nil. The
// owner asks.
func (i *Island) Deadlock() *DeadlockError {
	if e := i.convicted.Load(); e != nil && e.told.Load() {
		return e
	}
	return nil
}

// serveProbes answers what was asked and asks if it is time to, when everything else that
// has come has been looked at. If more has come since, it is looked at first: whoever has
// brought it has the island served again.
func (i *Island) serveProbes() {
	p := &i.probes
	st, sure := i.state()
	if !sure {
		return
	}
	all := p.later
	p.later = nil
	for _, q := range all {
		i.answer(q, st)
	}
	if !p.due {
		return
	}
	again := p.again
	p.due, p.again, p.tried = false, false, true
	if st != nil && (again || st != p.asked) {
		p.asked = st
		i.ask(st)
	}
}

// state is what the island says of itself: what it has said before, if that is still true; nil if
// it can go on. Then what it says next is new and it asks with it, for nobody who asks now hears
// from it. Not sure: something has come that it has not looked at.
func (i *Island) state() (st *statement, sure bool) {
	p := &i.probes
	upon, _, how := i.look(i.core.Steps().IdleVerdict)
	if how == stuck {
		if st = p.said.Load(); st != nil && st.since == i.core.Inspect().Transitions() && slices.Equal(st.upon, upon) {
			return st, true
		}
		var v scheduler.Verdict
		if upon, v, how = i.look(i.core.Steps().IdleVerdictWithReport); how == stuck {
			st = i.newStatement(upon, v)
			p.said.Store(st)
			return st, true
		}
	}
	if how == able {
		p.said.Store(nil)
	}
	return nil, how == able
}

func (i *Island) newStatement(upon []*Island, v scheduler.Verdict) *statement {
	if v.OnlyMoved {
		v.Report = i.core.Inspect().Report()
	}
	f := Finding{Island: i.addr, Name: i.Name(), Report: v.Report, isle: i}
	for _, o := range upon {
		f.Upon = append(f.Upon, o.Name())
	}
	return &statement{finding: f, upon: upon, since: i.core.Inspect().Transitions(), grave: i.portAwaited() || !i.serves() && i.team == nil}
}

// condition is what an island finds when it looks at itself.
type condition uint8

const (
	able   condition = iota + 1
	stuck            // nothing can happen here unless one of the islands it depends on sends something
	unsure           // something has come that was not looked at
)

func (i *Island) look(verdict func() scheduler.Verdict) (upon []*Island, v scheduler.Verdict, how condition) {
	if i.stopping || i.deadlocked() || len(i.bridges) > 0 {
		return nil, v, able // over a bridge anything may come
	}
	if i.news.Load() != nil || !i.box.empty() {
		return nil, v, unsure
	}
	upon, known := i.dependsOn()
	if !known {
		return nil, v, able
	}
	i.probes.blind = true
	v = verdict()
	i.probes.blind = false
	switch {
	case v.Kind == scheduler.Deadlock,
		v.Kind == scheduler.Done && (i.serves() || i.team != nil),
		v.OnlyMoved && i.team != nil: // it waits for its mates, too
		return upon, v, stuck
	case v.Kind == scheduler.Busy && !i.core.HasWork():
		return nil, v, unsure
	}
	return nil, v, able
}

// dependsOn are the islands that could send what somebody here waits for, or somebody who
// runs here. False: so may others, or an island that nobody knows yet.
func (i *Island) dependsOn() (upon []*Island, known bool) {
	switch {
	case !i.serves():
		upon, known = i.endsDependOn()
	case i.reg.isSealed():
		upon, known = i.others(), true
	}
	if known && i.team != nil {
		var mates []*Island
		mates, known = i.team()
		upon = append(upon, mates...)
	}
	return unique(upon), known
}

func (i *Island) endsDependOn() (upon []*Island, known bool) {
	for _, e := range i.ends {
		if !e.awaited() {
			continue
		}
		if upon, known = e.upon(upon); !known {
			return nil, false
		}
	}
	return upon, true
}

func unique(all []*Island) []*Island {
	seen := map[*Island]bool{}
	kept := all[:0]
	for _, i := range all {
		if !seen[i] {
			seen[i] = true
			kept = append(kept, i)
		}
	}
	return kept
}
