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

// detail is everything about one fiber.
type detail struct {
	Transitions uint64 `json:"transitions"`
	ReadAt      uint64 `json:"read_at"`
	Now         int64  `json:"now"`
	row
	Steps   *uint64   `json:"steps,omitempty"`
	On      []awaited `json:"on"`      // what it waits on
	Waiters []waiter  `json:"waiters"` // the fibers that wait for it, as far as that is known
	Stack   []call    `json:"stack"`   // innermost first
	History []Event   `json:"history"`
}

// awaited is an object that a fiber waits on.
type awaited struct {
	Object  string `json:"object"`
	Holders []peer `json:"holders"`
}

// peer is a fiber that another one is related to.
type peer struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
}

// waiter is a fiber that waits for another one.
type waiter struct {
	peer
	Object string `json:"object,omitempty"` // that the other one holds; empty for a native call
}

// call is one call of a stack, with the lines around the place it has reached.
type call struct {
	frame.Frame
	Source *excerpt `json:"source,omitempty"`
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
func (h *Handler) detail(v *view, id fiber.ID) (d *detail, err error) {
	at := v.find(id)
	var links *links
	if at >= 0 {
		links = v.linked()
	}
	err = h.owner.do(func() {
		d = &detail{Transitions: v.snapshot.Transitions, ReadAt: h.views.of.Transitions(), Now: int64(v.snapshot.Now),
			row: row{ID: id.String(), State: fiber.Dead.String(), Waits: []string{}}, On: []awaited{}, Waiters: []waiter{}, Stack: []call{}, History: []Event{}}
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
func (h *Handler) read(d *detail, v *view, l *links, at int) {
	of := h.views.of
	f := v.snapshot.Fibers[at]
	d.row = v.row(of, at)
	for _, source := range v.snapshot.On(f) {
		s := v.snapshot.Sources[source]
		a := awaited{Object: s.Name(), Holders: []peer{}}
		for _, id := range first(v.snapshot.Holders(s), maxRelated) {
			a.Holders = append(a.Holders, named(of, id))
		}
		d.On = append(d.On, a)
	}
	if caller := v.callerOf(at); caller >= 0 {
		d.Waiters = append(d.Waiters, waiter{peer: named(of, v.snapshot.Fibers[caller].ID)})
	}
	for _, source := range l.holds[f.ID] {
		object := v.snapshot.Sources[source].Name()
		for _, w := range first(l.waiters[source], maxRelated) {
			d.Waiters = append(d.Waiters, waiter{named(of, v.snapshot.Fibers[w].ID), object})
		}
	}
	d.Stack = h.stack(f.ID, d.Site)
	if !h.lent(of, f.ID) {
		d.Steps = stepsOf(f.ID, h.cfg.Steps)
	}
}

// stack is the owner's. Without a host that knows it, it is the place that the scheduler knows. Of a fiber whose slice
// another goroutine runs, the host is not asked.
func (h *Handler) stack(id fiber.ID, site string) []call {
	calls := []call{}
	if root, regular := id.Regular(); regular && h.cfg.Stack != nil && !h.lent(h.views.of, id) {
		for _, f := range h.cfg.Stack(root, h.cfg.Values) {
			calls = append(calls, call{Frame: f})
		}
	}
	if len(calls) == 0 && site != "" {
		calls = append(calls, call{Frame: placeOf(site)})
	}
	return calls
}

func named(of scheduler.Inspect, id fiber.ID) peer { return peer{id.String(), of.Name(id)} }

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
