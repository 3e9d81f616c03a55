package wait

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

// twin is a channel as slices, too simple to be wrong: what Chan is compared with.
type twin struct {
	capacity     int
	closed       bool
	buf          []int
	recvs, sends []waiter
	given        []waiter // values assigned and not collected
	lost         []int
}

type waiter struct {
	t   fiber.Ticket
	tag uint32
	v   int
}

func (w *twin) sendReady() bool {
	return w != nil && (w.closed || len(w.buf) < w.capacity || len(w.recvs) > 0)
}

func (w *twin) recvReady() bool {
	return w != nil && (w.closed || len(w.buf) > 0 || len(w.sends) > 0)
}

// send is called if it is ready.
func (w *twin) send(v int) (ok bool, wakes []fiber.Wakeup) {
	switch {
	case w.closed:
		return false, nil
	case len(w.recvs) > 0:
		r := w.recvs[0]
		w.withdraw(r.t)
		w.given = append(w.given, waiter{r.t, r.tag, v})
		return true, []fiber.Wakeup{woken(r.t, fiber.OK, r.tag)}
	}
	w.buf = append(w.buf, v)
	return true, nil
}

// recv is called if it is ready.
func (w *twin) recv() (v int, ok bool, wakes []fiber.Wakeup) {
	if len(w.sends) > 0 {
		s := w.sends[0]
		w.withdraw(s.t)
		w.buf = append(w.buf, s.v)
		wakes = []fiber.Wakeup{woken(s.t, fiber.OK, s.tag)}
	}
	if len(w.buf) == 0 {
		return 0, false, nil
	}
	v, w.buf = w.buf[0], w.buf[1:]
	return v, true, wakes
}

func (w *twin) close() (wakes []fiber.Wakeup) {
	w.closed = true
	for len(w.recvs) > 0 {
		wakes = append(wakes, woken(w.recvs[0].t, fiber.Closed, w.recvs[0].tag))
		w.withdraw(w.recvs[0].t)
	}
	for len(w.sends) > 0 {
		wakes = append(wakes, woken(w.sends[0].t, fiber.Closed, w.sends[0].tag))
		w.withdraw(w.sends[0].t)
	}
	return wakes
}

func (w *twin) withdraw(t fiber.Ticket) {
	if w != nil {
		gone := func(x waiter) bool { return x.t == t }
		w.recvs = slices.DeleteFunc(w.recvs, gone)
		w.sends = slices.DeleteFunc(w.sends, gone)
	}
}

func (w *twin) holds(t fiber.Ticket) bool {
	has := func(x waiter) bool { return x.t == t }
	return w != nil && (slices.ContainsFunc(w.recvs, has) || slices.ContainsFunc(w.sends, has))
}

// collect takes what was assigned to the ticket.
func (w *twin) collect(t fiber.Ticket) (int, bool) {
	if w == nil {
		return 0, false
	}
	i := slices.IndexFunc(w.given, func(x waiter) bool { return x.t == t })
	if i < 0 {
		return 0, false
	}
	v := w.given[i].v
	w.given = slices.Delete(w.given, i, i+1)
	return v, true
}
