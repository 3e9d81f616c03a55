package inspect

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/scheduler"
)

const (
	maxEvents  = 200 // of a fiber's history
	maxRelated = 50  // fibers that wait for one, or that it waits for, in each list
)

// Detail is everything about one fiber. One that has ended is "dead", and has no more than its History.
type Detail struct {
	Transitions uint64 `json:"transitions"`
	ReadAt      uint64 `json:"read_at"`
	Now         int64  `json:"now"`
	Row
	Steps   *uint64   `json:"steps,omitempty"` // that it has executed, but for those of the slice under way; nil if they are not counted
	On      []Awaited `json:"on"`              // what it waits on
	Waiters []Waiter  `json:"waiters"`         // the fibers that wait for it, as far as that is known
	Stack   []Call    `json:"stack"`           // innermost first
	History []Event   `json:"history"`
}

// Awaited is an object that a fiber waits on.
type Awaited struct {
	Object  string `json:"object"`
	Holders []Peer `json:"holders"` // the fibers that are known to be able to end the wait; none if any fiber might
}

// Peer is a fiber that another one is related to.
type Peer struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
}

// Waiter is a fiber that waits for another one.
type Waiter struct {
	Peer
	Object string `json:"object,omitempty"` // that the other one holds; empty for a native call
}

// Call is one call of a stack, with the lines around the place it has reached.
type Call struct {
	frame.Frame
	Source *Excerpt `json:"source,omitempty"`
}

func (h *Handler) serveFiber(w http.ResponseWriter, r *http.Request) {
	id, err := fiber.ParseID(r.PathValue("id"))
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	v, err := h.views.get(false)
	if err != nil {
		unavailable(w, err)
		return
	}
	d, err := h.detail(v, id)
	h.views.release(v)
	if err != nil {
		unavailable(w, err)
		return
	}
	h.addSources(d)
	reply(w, http.StatusOK, d)
}

// detail reads one fiber. One that is not in the snapshot is dead, and has only its history.
func (h *Handler) detail(v *view, id fiber.ID) (d *Detail, err error) {
	at := v.find(id)
	var links *links
	if at >= 0 {
		links = v.linked()
	}
	err = h.owner.do(func() {
		d = &Detail{Transitions: v.snapshot.Transitions, ReadAt: h.views.of.Transitions(), Now: int64(v.snapshot.Now),
			Row: Row{ID: id.String(), State: fiber.Dead.String(), Waits: []string{}}, On: []Awaited{}, Waiters: []Waiter{}, Stack: []Call{}, History: []Event{}}
		if at >= 0 {
			h.read(d, v, links, at)
		}
		if h.cfg.History != nil {
			d.History = append(d.History, h.cfg.History.Events(id, maxEvents)...)
		}
	})
	return d, err
}

// read is the owner's.
func (h *Handler) read(d *Detail, v *view, l *links, at int) {
	of := h.views.of
	f := v.snapshot.Fibers[at]
	d.Row = v.row(of, at)
	for _, source := range v.snapshot.On(f) {
		s := v.snapshot.Sources[source]
		a := Awaited{Object: s.Name(), Holders: []Peer{}}
		for _, id := range first(v.snapshot.Holders(s), maxRelated) {
			a.Holders = append(a.Holders, named(of, id))
		}
		d.On = append(d.On, a)
	}
	if caller := v.callerOf(at); caller >= 0 {
		d.Waiters = append(d.Waiters, Waiter{Peer: named(of, v.snapshot.Fibers[caller].ID)})
	}
	for _, source := range l.holds[f.ID] {
		object := v.snapshot.Sources[source].Name()
		for _, w := range first(l.waiters[source], maxRelated) {
			d.Waiters = append(d.Waiters, Waiter{named(of, v.snapshot.Fibers[w].ID), object})
		}
	}
	d.Stack = h.stack(f.ID, d.Site)
	if !h.lent(of, f.ID) {
		d.Steps = stepsOf(f.ID, h.cfg.Steps)
	}
}

// stack is the owner's. Without a host that knows it, it is the place that the scheduler knows. Of a fiber whose slice
// another goroutine runs, the host is not asked.
func (h *Handler) stack(id fiber.ID, site string) []Call {
	calls := []Call{}
	if root, regular := id.Regular(); regular && h.cfg.Stack != nil && !h.lent(h.views.of, id) {
		for _, f := range h.cfg.Stack(root, h.cfg.Values) {
			calls = append(calls, Call{Frame: f})
		}
	}
	if len(calls) == 0 && site != "" {
		calls = append(calls, Call{Frame: placeOf(site)})
	}
	return calls
}

func named(of scheduler.Inspect, id fiber.ID) Peer { return Peer{id.String(), of.Name(id)} }

func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }

// placeOf is the call that a place of the form "file:line" or "function at file:line" tells of.
func placeOf(site string) (f frame.Frame) {
	if at := strings.LastIndex(site, " at "); at >= 0 {
		f.Function, site = site[:at], site[at+len(" at "):]
	}
	f.File = site
	at := strings.LastIndexByte(site, ':')
	if line, err := strconv.ParseUint(site[at+1:], 10, 31); at >= 0 && err == nil {
		f.File, f.Line = site[:at], int(line)
	}
	return f
}
