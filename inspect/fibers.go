package inspect

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// MaxList is how many fibers a List has at most.
const MaxList = 500

const (
	defaultList = 100
	maxSearch   = 200 // bytes
)

// List is a part of the list of fibers: those that a request asks for.
type List struct {
	Transitions uint64 `json:"transitions"` // when the snapshot was taken
	ReadAt      uint64 `json:"read_at"`     // the number of transitions when names and places were read
	Now         int64  `json:"now"`         // nanoseconds of the scheduler's clock
	Total       int    `json:"total"`       // in the snapshot
	Matched     int    `json:"matched"`     // that the filters let through
	Offset      int    `json:"offset"`      // of the first of Fibers among those
	Fibers      []Row  `json:"fibers"`
}

// Row is a fiber or native call of a List.
type Row struct {
	ID       string   `json:"id"`
	Name     string   `json:"name,omitempty"`
	State    string   `json:"state"`
	Reason   string   `json:"reason,omitempty"`   // the kind of its wait, if it is blocked
	Deadline *int64   `json:"deadline,omitempty"` // of its wait, on the same clock as Now
	External bool     `json:"external,omitempty"` // the outside can end its wait
	Paused   bool     `json:"paused,omitempty"`   // it does not run until it is resumed
	Call     string   `json:"call,omitempty"`     // the native call that it waits for
	Waits    []string `json:"waits"`              // what it waits on
	Site     string   `json:"site,omitempty"`     // its place in the program
	// Moved says that the fiber may have run since the snapshot: name and site are later than the rest.
	Moved bool `json:"moved,omitempty"`
}

// serveFibers answers with one page of the list.
func (h *Handler) serveFibers(w http.ResponseWriter, r *http.Request) {
	o, offset, limit, err := parseList(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	v, err := h.views.get(false)
	if err != nil {
		unavailable(w, err)
		return
	}
	p, err := h.page(v, o, offset, limit)
	h.views.release(v)
	if err != nil {
		unavailable(w, err)
		return
	}
	reply(w, http.StatusOK, p)
}

func (h *Handler) page(v *view, o order, offset, limit int) (*List, error) {
	list, err := h.views.ordered(v, o)
	if err != nil {
		return nil, err
	}
	p := &List{Transitions: v.snapshot.Transitions, Now: int64(v.snapshot.Now),
		Total: len(v.snapshot.Fibers), Matched: len(list), Offset: offset, Fibers: []Row{}}
	list = list[min(offset, len(list)):min(offset+limit, len(list))]
	err = h.owner.do(func() {
		p.ReadAt = h.views.of.Transitions()
		for _, at := range list {
			p.Fibers = append(p.Fibers, v.row(h.views.of, int(at)))
		}
	})
	return p, err
}

// row is the owner's.
func (v *view) row(of scheduler.Inspect, at int) Row {
	f := v.snapshot.Fibers[at]
	r := Row{ID: f.ID.String(), Name: of.Name(f.ID), State: f.State.String(), Reason: reasonOf(f), External: f.External,
		Paused: of.Paused(f.ID), Waits: []string{}, Site: of.Site(f.ID), Moved: v.snapshot.Moved(f, of)}
	if f.Deadline != fiber.Never {
		r.Deadline = new(int64(f.Deadline))
	}
	if f.Calls {
		r.Call = v.snapshot.Fibers[at+1].ID.String()
	}
	for _, source := range v.snapshot.On(f) {
		r.Waits = append(r.Waits, v.snapshot.Sources[source].Name())
	}
	return r
}

// parseList reads the parameters of a list.
func parseList(q url.Values) (o order, offset, limit int, err error) {
	o = order{search: strings.ToLower(strings.TrimSpace(q.Get("search"))), state: q.Get("state"), reason: q.Get("reason"), by: q.Get("sort")}
	o.by, o.down = strings.CutPrefix(o.by, "-")
	switch {
	case len(o.search) > maxSearch:
		err = fmt.Errorf("search has more than %d bytes", maxSearch)
	case o.by != "" && !slices.Contains(columns(), o.by):
		err = fmt.Errorf("sort %q: want one of %s, with a - before it for descending", o.by, strings.Join(columns(), ", "))
	case !slices.Contains([]string{"", "runnable", "running", "blocked"}, o.state):
		err = fmt.Errorf("state %q: want runnable, running or blocked", o.state)
	case !slices.Contains([]string{"", "queue", "timer", "io"}, o.reason):
		err = fmt.Errorf("reason %q: want queue, timer or io", o.reason)
	}
	if err == nil {
		offset, err = number(q, "offset", 0, 1<<30)
	}
	if err == nil {
		limit, err = number(q, "limit", defaultList, MaxList)
	}
	if o.by == "id" {
		o.by = "" // the order of the slots
	}
	return o, offset, limit, err
}

// number reads a parameter from 0 to most.
func number(q url.Values, name string, byDefault, most int) (int, error) {
	if q.Get(name) == "" {
		return byDefault, nil
	}
	n, err := strconv.Atoi(q.Get(name))
	if err != nil || n < 0 || n > most {
		return 0, fmt.Errorf("%s %q: want a number from 0 to %d", name, q.Get(name), most)
	}
	return n, nil
}
