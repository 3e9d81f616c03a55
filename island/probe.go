package island

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// DefaultProbeAfter is how long an island sleeps, waiting for its ports only, before it
// probes.
const DefaultProbeAfter = 100 * time.Millisecond

// prober finds deadlocks that span islands. An island whose every fiber is blocked, and that
// nothing but its ports can wake, is stuck if every island that could send to it is, too.
// It asks them, they ask those they depend on in turn, and whoever is stuck answers when
// all it has asked have answered and nothing has happened to it since. If all the
// initiator's questions come back, everybody who was asked is in deadlock; somebody who can
// still go on keeps silent.
//
// That is the algorithm for communication deadlocks of Chandy, Misra and Haas (Distributed
// Deadlock Detection, 1983, section 4), with islands as processes. It needs what was sent
// before a question to be seen before it: an island looks at questions when it has looked
// at everything else. All of it is the owner's.
type prober struct {
	blind   bool // the verdict asked for is to leave the ports out
	severed *DeadlockError

	slept fiber.Time // when the present sleep is long enough to ask; 0: none
	since uint64     // the transitions at its beginning
	asked bool       // during this sleep
	due   bool       // ask at the next turn

	rounds uint64
	latest map[Address]*round // by initiator
	later  []func()           // questions and answers that have come and not been looked at
}

// round is an island's part in one probe.
type round struct {
	by       Address // the initiator
	number   uint64
	engager  *Island // who asked first; nil: it is the initiator
	since    uint64  // the island's transitions then
	open     int     // questions not answered yet
	findings []Finding
}

// Finding is one island of a deadlock that spans several, as it saw itself.
type Finding struct {
	Island Address
	Name   string
	Upon   []string // the names of the islands that could have sent to it
	Report *scheduler.Report
	isle   *Island
}

// rest is when the island wants to be served to ask, if it sleeps on.
func (i *Island) rest(until fiber.Time) fiber.Time {
	p, after := &i.probes, i.cfg.ProbeAfter
	if after < 0 || i.stopping || p.severed != nil || !i.portAwaited() {
		return until
	}
	if n := i.core.Transitions(); p.slept == 0 || p.since != n {
		p.since, p.asked, p.slept = n, false, i.core.Now().After(after)
	}
	switch {
	case p.asked:
		return until
	case i.core.Now() >= p.slept:
		p.asked, p.due = true, true
		return i.core.Now()
	}
	return min(until, p.slept)
}

// serveProbes looks at what has been asked and answered, when everything else that has
// come has been looked at.
func (i *Island) serveProbes() {
	p := &i.probes
	if p.severed != nil {
		p.later, p.due = nil, false
		return
	}
	if p.due {
		p.due = false
		i.Probe()
	}
	for len(p.later) > 0 && i.news.Load() == nil {
		look := p.later[0]
		p.later[0], p.later = nil, p.later[1:]
		look()
	}
	if len(p.later) > 0 {
		i.core.Inbox().Rouse()
	}
}

// Probe asks now whether this island is in a deadlock with others; if it is, all of them
// will find Deadlock as their schedulers' verdict, and Deadlock tells the whole of it. The
// island does so by itself after it has slept for Config.ProbeAfter. The owner calls it.
func (i *Island) Probe() {
	p := &i.probes
	p.rounds++
	i.engage(i.addr, p.rounds, nil)
}

// Deadlock is the deadlock in which this island was found to be with others, or nil. The
// owner asks.
func (i *Island) Deadlock() *DeadlockError { return i.probes.severed }

// stuck tells whether nothing can happen here unless one of the islands sends something.
func (i *Island) stuck() (f Finding, upon []*Island, ok bool) {
	if i.stopping || i.probes.severed != nil || len(i.bridges) > 0 {
		return f, nil, false // over a bridge anything may come
	}
	upon, known := i.dependsOn()
	if !known {
		return f, nil, false
	}
	i.probes.blind = true
	v := i.core.Idle()
	i.probes.blind = false
	switch {
	case v.Kind == scheduler.Deadlock:
	case v.Kind == scheduler.Done && (i.serves() || i.team != nil):
	case v.Abroad && i.team != nil: // it waits for its mates, too
		v.Report = i.core.Report()
	default:
		return f, nil, false
	}
	f = Finding{Island: i.addr, Name: i.Name(), Report: v.Report, isle: i}
	for _, o := range upon {
		f.Upon = append(f.Upon, o.Name())
	}
	return f, upon, true
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
