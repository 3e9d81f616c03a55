package fibers

import (
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/internal/race"
	"github.com/selvage-dev/selvage/wait"
)

// What orders accesses. An operation that has waited was completed by the fiber that has woken it, which
// has said so.

// watched returns whether races are looked for.
func (w *watcher) watched() bool { return w != nil && w.races != nil }

// begin begins an operation on a channel.
func (w *watcher) begin() {
	if w.watched() {
		id := w.env.rt.Scheduler().Current()
		w.blocked[id], w.wakes[id] = false, w.wakes[id][:0]
	}
}

// immediate are the thread of an operation that has not waited, and those that it has woken.
func (w *watcher) immediate() (t *race.Thread, woken []*race.Thread) {
	id := w.env.rt.Scheduler().Current()
	if w.blocked[id] {
		return nil, nil
	}
	for _, other := range w.wakes[id] {
		woken = append(woken, w.of(other))
	}
	return w.of(id), woken
}

func first(woken []*race.Thread) *race.Thread {
	if len(woken) > 0 {
		return woken[0]
	}
	return nil
}

// sent is a send that has ended without an error.
func (w *watcher) sent(ch *channel, ok bool, err error) {
	if !w.watched() || !ok || err != nil {
		return
	}
	if t, woken := w.immediate(); t != nil {
		w.races.Sent(t, ch, ch.Cap(), first(woken))
	}
}

// received is a receive that has ended without an error: of a value, or of the end of the channel.
func (w *watcher) received(ch *channel, status wait.Status, err error) {
	if !w.watched() || err != nil || status == wait.Empty {
		return
	}
	t, woken := w.immediate()
	switch {
	case t == nil:
	case status == wait.Received:
		w.races.Received(t, ch, ch.Cap(), first(woken))
	default:
		w.races.Drained(t, ch, ch.Cap())
	}
}

// statusOf is the status of a receive that is over.
func statusOf(ok bool) wait.Status {
	if ok {
		return wait.Received
	}
	return wait.Closed
}

// closed is the close of a channel.
func (w *watcher) closed(ch *channel, err error) error {
	if w.watched() && err == nil {
		t, woken := w.immediate()
		w.races.Closed(t, ch, ch.Cap(), woken)
	}
	return err
}

// selected is the case of a select. spec is the list of cases.
func (w *watcher) selected(spec *glua.LTable, i int, chosen wait.Case) {
	if !w.watched() {
		return
	}
	entry, _ := spec.RawGetInt(i + 1).(*glua.LTable)
	if entry == nil {
		return
	}
	object := entry.RawGetInt(1)
	if ch, ok := as[*channel](object); ok {
		switch chosen := chosen.(type) {
		case *wait.Receive[glua.LValue]:
			_, got := chosen.Value()
			w.received(ch.of, statusOf(got), nil)
		case *wait.Send[glua.LValue]:
			w.sent(ch.of, true, chosen.Err())
		}
	}
	if t, ok := as[*task](object); ok {
		w.joined(t.of)
	}
	if t, ok := as[*wait.Timer](object); ok {
		w.acquire(t.of)
	}
}

// joined orders all that a fiber has done, if it has ended, before what the running one does.
func (w *watcher) joined(tasks ...*task) {
	if !w.watched() {
		return
	}
	for _, t := range tasks {
		if t.stack != nil && w.ended[t.stack.ID()] {
			w.now().Acquire(w.of(t.stack.ID()).Snapshot())
		}
	}
}

// release makes what the running fiber has done known to those that acquire the object.
func (w *watcher) release(object any) {
	if !w.watched() {
		return
	}
	if t := w.now(); t != nil {
		w.races.Merge(t, object)
		id := w.env.rt.Scheduler().Current()
		if i := slices.Index(w.holds[id], object); i >= 0 {
			w.holds[id] = slices.Delete(w.holds[id], i, i+1)
		}
	}
}

// acquire orders what was released to the object before what the running fiber does.
func (w *watcher) acquire(object any) {
	if !w.watched() {
		return
	}
	if t := w.now(); t != nil {
		w.races.Acquire(t, object)
	}
}

// acquired is the end of a wait for a lock: the running fiber is to release the object, and comes after
// what was released to the others.
func (w *watcher) acquired(ok bool, err error, object any, after ...any) error {
	if w.watched() && ok && err == nil {
		for _, o := range after {
			w.acquire(o)
		}
		id := w.env.rt.Scheduler().Current()
		w.holds[id] = append(w.holds[id], object)
	}
	return err
}

// readers is the part of a lock that readers release: a reader need not come after the one before.
type readers struct{ of fiber.Source }

// messages is all that is sent to ports: what comes from a port may be a consequence of any of it.
type messages struct{}
