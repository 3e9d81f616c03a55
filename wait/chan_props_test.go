package wait

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// channels drives some channels and their twins with the same calls: single waits,
// selects, deadlines and deaths at any moment.
type channels struct {
	*fake
	ch    []*Chan[int]
	w     []*twin
	lost  [][]int
	on    []*waitOn // waits that are on or not claimed yet, oldest first
	spent []fiber.Ticket
	next  int
	fibs  int
}

// waitOn is one wait: of a select, or of one send or receive.
type waitOn struct {
	t     fiber.Ticket
	cases []dir
	sel   *Select // nil: a single wait
}

// dir is one way to go on: send or receive on a channel.
type dir struct {
	ch    int
	sends bool
	v     int
	c     Case
}

func newChannels(t *rapid.T) *channels {
	m := &channels{fake: newFake(t), lost: make([][]int, 4)}
	for i, capacity := range []int{0, 1, 3} {
		ch := NewChan[int](capacity)
		ch.OnLost(func(v int) { m.lost[i] = append(m.lost[i], v) })
		m.ch, m.w = append(m.ch, ch), append(m.w, &twin{capacity: capacity})
	}
	m.ch, m.w = append(m.ch, nil), append(m.w, nil)
	return m
}

func (m *channels) pick(t *rapid.T) int {
	return rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2, 2, 3}).Draw(t, "chan")
}

func (m *channels) value() int        { m.next++; return m.next }
func (m *channels) someone() fiber.ID { m.fibs++; return fib(m.fibs) }

// woke checks a wake against the twins' and hands it out to both.
func (m *channels) woke(t *rapid.T, got, want []fiber.Wakeup) {
	got = slices.DeleteFunc(got, fiber.Wakeup.IsZero)
	if !same(got, want) {
		t.Fatalf("woken %v, want %v", got, want)
	}
	for _, wake := range want {
		m.gone(wake.Ticket)
	}
	m.deliver(got...)
}

func (m *channels) gone(t fiber.Ticket) {
	for _, w := range m.w {
		w.withdraw(t)
	}
}

// SendOrPark and RecvOrPark are what a blocking operation of a host does.
func (m *channels) SendOrPark(t *rapid.T) {
	i, v := m.pick(t), m.value()
	ready := m.w[i].sendReady()
	ok, wake, err := m.ch[i].TrySend(v)
	if !ready {
		if ok || err != nil || !wake.IsZero() {
			t.Fatalf("send that blocks: %v %v %v", ok, wake, err)
		}
		m.park(t, i, dir{ch: i, sends: true, v: v})
		return
	}
	wantOK, want := m.w[i].send(v)
	if ok != wantOK || (err == nil) != wantOK {
		t.Fatalf("send: %v %v, want %v", ok, err, wantOK)
	}
	m.woke(t, []fiber.Wakeup{wake}, want)
}

func (m *channels) RecvOrPark(t *rapid.T) {
	i := m.pick(t)
	ready := m.w[i].recvReady()
	v, status, wake := m.ch[i].TryRecv()
	if !ready {
		if status != Empty || !wake.IsZero() {
			t.Fatalf("receive that blocks: %v %v", status, wake)
		}
		m.park(t, i, dir{ch: i})
		return
	}
	wantV, ok, want := m.w[i].recv()
	if v != wantV || status == Empty || (status == Received) != ok {
		t.Fatalf("received %v %v, want %v %v", v, status, wantV, ok)
	}
	m.woke(t, []fiber.Wakeup{wake}, want)
}

func (m *channels) park(t *rapid.T, i int, d dir) {
	var sources []fiber.Source
	if m.ch[i] != nil {
		sources = append(sources, m.ch[i].Source())
	}
	tk := m.arm(m.someone(), sources...)
	tag := rapid.Uint32().Draw(t, "tag")
	var err error
	if d.sends {
		err = m.ch[i].ParkSend(tk, d.v, tag)
	} else {
		err = m.ch[i].ParkRecv(tk, tag)
	}
	if err != nil {
		t.Fatalf("park: %v", err)
	}
	m.register(tk, tag, d)
	m.on = append(m.on, &waitOn{t: tk, cases: []dir{d}})
}

func (m *channels) register(tk fiber.Ticket, tag uint32, d dir) {
	switch w := m.w[d.ch]; {
	case w == nil:
	case d.sends:
		w.sends = append(w.sends, waiter{tk, tag, d.v})
	default:
		w.recvs = append(w.recvs, waiter{tk, tag, 0})
	}
}

// nth is a chooser that answers what it was told and notes what it was asked.
type nth struct{ answer, asked uint64 }

func (n *nth) Uint64N(k uint64) uint64 { n.asked = k; n.answer %= k; return n.answer }

func (m *channels) SelectOrPark(t *rapid.T) {
	var cases []dir
	var s Select
	for range rapid.IntRange(0, 4).Draw(t, "cases") {
		d := dir{ch: m.pick(t), sends: rapid.Bool().Draw(t, "sends"), v: m.value()}
		d.c = Case(RecvFrom(m.ch[d.ch]))
		if d.sends {
			d.c = SendTo(m.ch[d.ch], d.v)
		}
		cases = append(cases, d)
		s.cases = append(s.cases, d.c.Case())
	}
	var ready []int
	for i, d := range cases {
		if d.sends && m.w[d.ch].sendReady() || !d.sends && m.w[d.ch].recvReady() {
			ready = append(ready, i)
		}
	}
	rng := &nth{answer: rapid.Uint64Range(0, 3).Draw(t, "choice")}
	tk := m.arm(m.someone(), s.Sources(nil)...)
	err := s.Park(tk)
	if (err != nil) != (len(ready) > 0) {
		t.Fatalf("parked with ready cases %v: %v", ready, err)
	}
	if err == nil {
		for i, d := range cases {
			m.register(tk, uint32(i), d)
		}
		m.on = append(m.on, &waitOn{tk, cases, &s})
		return
	}
	i, wake, ok := s.Poll(rng)
	if len(ready) > 1 && rng.asked != uint64(len(ready)) {
		t.Fatalf("chose among %d, want %d", rng.asked, len(ready))
	}
	if want := ready[rng.answer%uint64(len(ready))]; !ok || i != want {
		t.Fatalf("chose %d %v, want %d of %v", i, ok, want, ready)
	}
	m.woke(t, []fiber.Wakeup{wake}, m.commit(t, cases[i]))
}

// commit does to the twin what the select has done, and compares the outcome.
func (m *channels) commit(t *rapid.T, d dir) (wakes []fiber.Wakeup) {
	if d.sends {
		ok, wakes := m.w[d.ch].send(d.v)
		d.sent(t, ok)
		return wakes
	}
	v, ok, wakes := m.w[d.ch].recv()
	d.received(t, v, ok)
	return wakes
}

func (d dir) sent(t *rapid.T, ok bool) {
	if err := d.c.(*Send[int]).Err(); (err == nil) != ok {
		t.Fatalf("sent: %v, want %v", err, ok)
	}
}

func (d dir) received(t *rapid.T, v int, ok bool) {
	if gotV, gotOK := d.c.(*Receive[int]).Value(); gotV != v || gotOK != ok {
		t.Fatalf("received %v %v, want %v %v", gotV, gotOK, v, ok)
	}
}

// Close ends a channel and, so that a run does not soon consist of closed ones only,
// puts a fresh one in its place once nothing refers to it.
func (m *channels) Close(t *rapid.T) {
	i := rapid.IntRange(0, 2).Draw(t, "chan")
	if rapid.IntRange(0, 3).Draw(t, "really") > 0 {
		return
	}
	wasClosed := m.w[i].closed
	got, err := m.ch[i].Close(nil)
	if (err != nil) != wasClosed {
		t.Fatalf("close: %v, closed before: %v", err, wasClosed)
	}
	m.woke(t, got, m.w[i].close())
	if wasClosed && len(m.w[i].given) == 0 && !m.awaited(i) {
		m.ch[i], m.w[i], m.lost[i] = NewChan[int](m.w[i].capacity), &twin{capacity: m.w[i].capacity}, nil
		m.ch[i].OnLost(func(v int) { m.lost[i] = append(m.lost[i], v) })
	}
}

func (m *channels) awaited(ch int) bool {
	return slices.ContainsFunc(m.on, func(w *waitOn) bool {
		return slices.ContainsFunc(w.cases, func(d dir) bool { return d.ch == ch })
	})
}

func (m *channels) some(t *rapid.T) *waitOn {
	if len(m.on) == 0 {
		return nil
	}
	return rapid.SampledFrom(m.on).Draw(t, "wait")
}

func (m *channels) pending(w *waitOn) bool { return m.waits[w.t].res.Code == fiber.Pending }

// Interrupt ends a wait by its deadline or a cancel.
func (m *channels) Interrupt(t *rapid.T) {
	if w := m.some(t); w != nil && m.pending(w) {
		m.gone(w.t)
		m.timeout(w.t)
	}
}

// Resume lets the fiber of an ended wait run: it collects.
func (m *channels) Resume(t *rapid.T) {
	w := m.some(t)
	if w == nil || m.pending(w) {
		return
	}
	res := m.claim(w.t)
	m.drop(w)
	if w.sel == nil {
		m.collectOne(t, w, res)
		return
	}
	i, ok := w.sel.Collect(w.t, res)
	if ok != (res.Code != fiber.TimedOut) {
		t.Fatalf("collected case %d %v after %v", i, ok, res)
	}
	if !ok {
		return
	}
	d := w.cases[i]
	if d.sends {
		d.sent(t, res.Code == fiber.OK)
		return
	}
	v, given := m.w[d.ch].collect(w.t)
	d.received(t, v, given)
}

func (m *channels) collectOne(t *rapid.T, w *waitOn, res fiber.Result) {
	d := w.cases[0]
	v, ok := m.ch[d.ch].Collect(w.t)
	wantV, want := m.w[d.ch].collect(w.t)
	if v != wantV || ok != want || ok != (res.Code == fiber.OK && !d.sends) {
		t.Fatalf("collected %v %v after %v, want %v %v", v, ok, res, wantV, want)
	}
}

// Die ends the fiber of a wait, parked or about to run.
func (m *channels) Die(t *rapid.T) {
	w := m.some(t)
	if w == nil {
		return
	}
	m.gone(w.t)
	for _, tw := range m.w {
		if v, ok := tw.collect(w.t); ok {
			tw.lost = append(tw.lost, v)
		}
	}
	m.die(w.t)
	m.drop(w)
}

func (m *channels) drop(w *waitOn) {
	m.on = slices.DeleteFunc(m.on, func(x *waitOn) bool { return x == w })
	m.spent = append(m.spent, w.t)
}

// Stale asks about a wait that is over; nothing may come of it.
func (m *channels) Stale(t *rapid.T) {
	if len(m.spent) == 0 {
		return
	}
	tk := rapid.SampledFrom(m.spent).Draw(t, "spent")
	for _, ch := range m.ch {
		_, ok := ch.Collect(tk)
		if !ok && ch == nil {
			continue
		}
		if ok || ch.Source().Holds(tk) || len(ch.Source().Withdraw(tk, nil)) > 0 || forfeits(ch.Source().(fiber.Assigner), tk, nil) {
			t.Fatalf("%v is still known", tk)
		}
	}
}
