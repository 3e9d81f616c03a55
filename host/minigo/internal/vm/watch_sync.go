package vm

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/internal/race"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/wait"
)

// The instructions that synchronize, as spawn, pass, close and selectFrom execute them, with what they
// order.

func (m *Machine) watchedGo(st *State, in *code.Instr, t *race.Thread, n []uint64, r []any) step {
	id, s := m.spawn(st, &st.top().fn.Aux[in.D], n, r)
	if id != 0 {
		m.watcher.start(id.ID(), t)
	}
	return s
}

func (m *Machine) watchedPass(st *State, in *code.Instr, t *race.Thread, what string, as uint16, n []uint64, r []any) step {
	x := &st.top().fn.Aux[in.D]
	if in.Op == code.Send {
		if x.T.Word() {
			return watchedSend(m, st, r[x.I[0]], t, what, as, n[x.I[1]])
		}
		m.allocPacked(x.T)
		return watchedSend(m, st, r[x.I[0]], t, what, as, value.Pack(x.T, n[x.I[1]:], r[x.I[2]:]))
	}
	if x.T.Word() {
		v, status, s := watchedRecv[uint64](m, st, r[x.I[3]], t)
		if status != wait.Empty {
			receivedWord(x, v, status == wait.Received, n)
		}
		return s
	}
	v, status, s := watchedRecv[value.Packed](m, st, r[x.I[3]], t)
	if status != wait.Empty {
		received(x, v, status == wait.Received, n, r)
	}
	return s
}

// watchedSend is send. Sending and closing must be ordered.
func watchedSend[V any](m *Machine, st *State, ref any, t *race.Thread, what string, as uint16, v V) step {
	ch, _ := ref.(*wait.Chan[V])
	if ch == nil {
		return m.forever(st)
	}
	w := m.watcher
	if as != code.WatchOrder {
		w.races.Whole(t, race.Read, "channel "+what+" (send)", ch)
	}
	ok, woken, err := ch.TrySend(v)
	if !ok {
		return sendLater(m, st, ch, v, err)
	}
	w.races.Sent(t, ch, ch.Cap(), w.woken(woken))
	if !woken.IsZero() {
		m.sched.Apply(woken)
	} else {
		m.alloc(wordBytes + refBytes)
	}
	return next
}

func watchedRecv[V any](m *Machine, st *State, ref any, t *race.Thread) (v V, status wait.Status, s step) {
	ch, _ := ref.(*wait.Chan[V])
	if ch == nil {
		return v, wait.Empty, m.forever(st)
	}
	v, status, woken := ch.TryRecv()
	if status == wait.Empty {
		return v, status, m.awaitValue(st, ch)
	}
	m.watcher.received(t, ch, status == wait.Received, woken)
	if !woken.IsZero() {
		m.sched.Apply(woken)
	}
	return v, status, next
}

// received is a receive that has not waited; got is false if the channel is closed and empty.
func (w *watcher) received(t *race.Thread, ch value.AnyChan, got bool, woken fiber.Wakeup) {
	if got {
		w.races.Received(t, ch, ch.Cap(), w.woken(woken))
	} else {
		w.races.Drained(t, ch, ch.Cap())
	}
}

// woken is the thread that an operation wakes, or nil.
func (w *watcher) woken(woken fiber.Wakeup) *race.Thread {
	if woken.IsZero() {
		return nil
	}
	return w.of(woken.Ticket.ID)
}

func (m *Machine) watchedClose(st *State, ref any, t *race.Thread, what string, as uint16) step {
	ch, _ := ref.(value.AnyChan)
	if ch == nil {
		return m.close(st, ref)
	}
	w := m.watcher
	if as != code.WatchOrder {
		w.races.Whole(t, race.Write, "channel "+what+" (close)", ch)
	}
	wakes, err := ch.Close(nil)
	if err != nil {
		return m.throw(st, m.plainError("close of closed channel"))
	}
	m.spend(len(wakes))
	var threads []*race.Thread
	for _, woken := range wakes {
		threads = append(threads, w.woken(woken))
	}
	w.races.Closed(t, ch, ch.Cap(), threads)
	for _, woken := range wakes {
		m.sched.Apply(woken)
	}
	return next
}

// watchedSelect is selectFrom. A case that another fiber completes is that one's send or receive.
func (m *Machine) watchedSelect(st *State, in *code.Instr, t *race.Thread, n []uint64, r []any) step {
	x := &st.top().fn.Aux[in.D]
	c := m.cases(st, x, n, r)
	i, woken, ok := c.Poll(m.sched.Choices())
	if !ok {
		return m.parkSelect(st, x, c, n)
	}
	w, s := m.watcher, &x.List[i]
	ch, _ := r[s.J].(value.AnyChan)
	switch k := c.list[i].(type) {
	case interface{ Err() error }:
		if k.Err() == nil {
			w.races.Sent(t, ch, ch.Cap(), w.woken(woken))
		}
	case *wait.Receive[uint64]:
		_, got := k.Value()
		w.received(t, ch, got, woken)
	case *wait.Receive[value.Packed]:
		_, got := k.Value()
		w.received(t, ch, got, woken)
	}
	if !woken.IsZero() {
		m.sched.Apply(woken)
	}
	return m.chosen(st, x, c, i, n, r)
}
