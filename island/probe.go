package island

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island/internal/probe"
	"github.com/selvage-dev/selvage/scheduler"
)

// prober is the part of an island in the detection of deadlocks across islands. The protocol
// is in internal/probe. This file decides what an island states about itself, and when it
// starts a probe (decision 0060).
//
// A false report would end programs that could continue. So an island with a bridge, or with a port
// that others may still dial, states that it can run, and none answers before it has looked at
// everything that was sent to it.
type prober struct {
	probe.Member[BlockedIsland]
	// ignorePorts is true only inside examine: the verdict in question is that without the ports.
	ignorePorts bool
	// probeAt is when the island starts a probe if its scheduler makes no transition until then;
	// 0: it has not slept yet.
	probeAt     fiber.Time
	transitions uint64 // of the scheduler when probeAt was set
}

type statement = probe.Statement[BlockedIsland]

// initProber connects the protocol to the owner: a question raises a signal, so that a sleeping
// owner wakes up for it. A declared deadlock only notifies: what has to be looked at is in
// i.deadlock.
func (i *Island) initProber() {
	g := &signal{owner: i, handle: i.prober.TakeQuestions}
	i.prober.Init(g.raise, func() { i.core.Inbox().Notify() }, i.reg.record)
}

// nextProbe is when the island wants to be served to start a probe, if it sleeps on. It starts
// one for each sleep, and looks again when it wakes up without a fiber having been woken:
// then the islands that it depends on may have changed.
func (i *Island) nextProbe(until fiber.Time) fiber.Time {
	p := &i.prober
	if i.cfg.ProbeAfter < 0 || i.stopping || i.deadlocked() || !i.mayDependOnOthers() {
		p.WillStart(0)
		return until
	}
	p.WillStart(int64(i.cfg.ProbeAfter))
	// A sleep that no transition interrupts counts as one, however often the loop wakes up in it:
	// else an island that is notified again and again would never have slept long enough.
	if n := i.core.Inspect().Transitions(); p.probeAt == 0 || p.transitions != n {
		p.transitions, p.probeAt = n, i.core.Now().After(i.cfg.ProbeAfter)
	}
	switch {
	case !p.MayStart():
		return until // one probe a turn, or the loop would start one after the other and never sleep
	case i.core.Now() >= p.probeAt:
		// The scheduler must not be used here (ExternalSource), so the probe is only made due. The
		// instant has passed, so the loop polls and serves the island at once.
		p.Start(false)
		return i.core.Now()
	}
	return min(until, p.probeAt)
}

// mayDependOnOthers tells whether other islands could wake a fiber here or bring one, and
// whether all that could are known.
func (i *Island) mayDependOnOthers() bool {
	return i.portAwaited() || i.cfg.Peers != nil || i.servesOthers() && i.reg.isSealed()
}

// Probe starts a deadlock probe now instead of after Config.ProbeAfter. If this island is in a
// deadlock with others, the schedulers of all of them will have the verdict Deadlock, and
// Deadlock returns the report. The owner calls it.
func (i *Island) Probe() {
	i.prober.Start(true)
	i.serveProbes()
}

// serveProbes answers questions and starts a probe if one is due. It does nothing while there
// is something that the island has not looked at: that has the island served again.
func (i *Island) serveProbes() {
	if st, certain := i.state(); certain {
		i.prober.Turn(st)
	}
}

// state is the island's statement if it is blocked, or nil if it can run. An earlier
// statement is returned again only if nothing has changed since; otherwise a new one, which
// is compared by its pointer. certain is false while something has not been looked at.
//
// The verdict is computed without the report first, because an unchanged statement has one already
// and most questions find it unchanged. A report takes time in proportion to the fibers.
//
// The version is read before the verdict: a hold that is taken between the two either counts in the
// verdict, or makes the statement different from every later one.
func (i *Island) state() (st *statement, certain bool) {
	now, left := i.version(), i.reg.left.Load()
	on, _, c := i.examine(i.core.Steps().IdleVerdict)
	if c == blocked {
		if st = i.prober.Published(); st != nil && st.Version == now && sameMembers(st.DependsOn, on) {
			return st, true
		}
		var v scheduler.Verdict
		if on, v, c = i.examine(i.core.Steps().IdleVerdictWithReport); c == blocked {
			st = i.newStatement(on, v, now)
			i.publish(st)
			if i.reg.left.Load() != left {
				i.core.Inbox().Notify() // look again: an island may have left since dependsOn
			}
			return st, true
		}
	}
	if c == runnable {
		i.publish(nil)
	}
	return nil, c == runnable
}

// version identifies the state that a statement is about. Two kinds of events can change what
// the scheduler says about itself: transitions, and holds of its inbox, which come from outside and
// may pass from island to island while a probe visits one after the other.
func (i *Island) version() probe.Version {
	return probe.Version{Transitions: i.core.Inspect().Transitions(), Holds: i.core.Inbox().SendersOpened()}
}

// publish replaces the statement. The registry counts statements (lookout).
func (i *Island) publish(st *statement) {
	if i.prober.Published() != st {
		i.reg.publish(i, st)
	}
}

// retract withdraws the statement if it is about an earlier state. The others then see that the
// island can run, and need not ask it.
func (i *Island) retract() {
	if st := i.prober.Published(); st != nil && st.Version != i.version() {
		i.publish(nil)
	}
}

// sameMembers compares in order: dependsOn is deterministic as long as nothing changes.
func sameMembers(members []*probe.Member[BlockedIsland], islands []*Island) bool {
	return slices.EqualFunc(members, islands, func(m *probe.Member[BlockedIsland], i *Island) bool { return m == &i.prober.Member })
}

// newStatement makes a statement of the verdict. Its report is made now, while the fibers are as the
// statement says: later it is read by the owner that concludes the probe, which must not touch this
// scheduler. From Publish on the statement is immutable.
func (i *Island) newStatement(on []*Island, v scheduler.Verdict, version probe.Version) *statement {
	if v.OnlyMoved {
		v.Report = i.core.Inspect().Report()
	}
	st := &statement{
		Finding: BlockedIsland{Address: i.addr, Name: i.Name(), Report: v.Report, island: i},
		Version: version,
		// The last island of a closed registry serves no others any more: if it has fibers, they block
		// each other. Without fibers it goes on until it is shut down.
		Blocked: i.portAwaited() || i.cfg.Peers == nil && (!i.servesOthers() || len(on) == 0 && v.Kind != scheduler.Done),
	}
	st.Finding.onAll = i.reg.hasNoOthers(i, on)
	for _, o := range on {
		st.Finding.WaitsFor = append(st.Finding.WaitsFor, o.Name())
		st.DependsOn = append(st.DependsOn, &o.prober.Member)
	}
	return st
}

// condition is what an island finds out about itself.
type condition uint8

const (
	runnable condition = iota + 1 // it can run, or something outside the islands can wake it
	blocked                       // nothing can happen here unless an island it depends on acts
	unknown                       // something has arrived that was not looked at
)

// examine computes the condition with the verdict that the scheduler would give if no port
// could bring anything. The order matters: signals and mailbox are checked first, because a value
// that has arrived may wake a fiber, and the verdict cannot know of it.
func (i *Island) examine(verdict func() scheduler.Verdict) (on []*Island, v scheduler.Verdict, c condition) {
	if i.stopping || i.deadlocked() || len(i.bridges) > 0 {
		return nil, v, runnable // over a bridge anything may arrive
	}
	// A message that is still being written counts: its sender was running when it took the place,
	// and may have stopped since. The owner looks again, because the sender raises the signal.
	if i.raised.Load() != nil || !i.mailbox.empty() {
		return nil, v, unknown
	}
	on, known := i.dependsOn()
	if !known {
		return nil, v, runnable
	}
	i.prober.ignorePorts = true
	v = verdict()
	i.prober.ignorePorts = false
	switch {
	case v.Kind == scheduler.Deadlock,
		v.Kind == scheduler.StackInversion, // a value from another island could end the call on top
		v.Kind == scheduler.Done && (i.servesOthers() || i.cfg.Peers != nil),
		v.OnlyMoved && i.cfg.Peers != nil: // it waits for the end of a fiber that a peer has
		return on, v, blocked
	case v.Kind == scheduler.Busy && !i.core.HasWork():
		return nil, v, unknown // the inbox has commands that the loop has not carried out
	}
	return nil, v, runnable
}

// dependsOn are the islands that could send something that a fiber here waits for, or move or
// spawn a fiber here. known is false if others could, such as an island that joins later. The order
// is that of the ends, of the numbers, and of Peers, without repetition.
func (i *Island) dependsOn() (on []*Island, known bool) {
	switch {
	case !i.servesOthers():
		on, known = i.endsDependOn()
	case i.reg.isSealed():
		on, known = i.others(), true
	}
	if known && i.cfg.Peers != nil {
		var peers []*Island
		peers, known = i.cfg.Peers()
		on = append(on, peers...)
	}
	return unique(on), known
}

// endsDependOn asks only ports and senders where a fiber waits.
func (i *Island) endsDependOn() (on []*Island, known bool) {
	for _, e := range i.ends {
		if !e.awaited() {
			continue
		}
		if on, known = e.dependsOn(on); !known {
			return nil, false
		}
	}
	return on, true
}

// unique keeps the first of equal islands, in the same array.
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
