package inspect

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/selvage-dev/selvage/fiber"
)

const (
	defaultSlices = 2_000
	maxSlices     = 10_000
)

// timeline is what fibers did in a period.
type timeline struct {
	Available bool    `json:"available"` // something records events
	First     int64   `json:"first"`     // of what is recorded
	Last      int64   `json:"last"`
	From      int64   `json:"from"` // of this answer
	To        int64   `json:"to"`
	Tracks    []track `json:"tracks"`
	Partial   bool    `json:"partial"` // there are more slices: ask for a shorter period
}

// track is one fiber of a timeline.
type track struct {
	fiber  fiber.ID
	ID     string       `json:"id"`
	Name   string       `json:"name,omitempty"`
	Slices []trackSlice `json:"slices"`
}

type trackSlice struct {
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	State string `json:"state"`
}

func (h *Handler) serveTimeline(w http.ResponseWriter, r *http.Request) {
	t, limit, err := parseTimeline(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	if h.cfg.History != nil {
		err = h.owner.do(func() { h.record(t, limit) })
	}
	if err != nil {
		unavailable(w, err)
		return
	}
	reply(w, http.StatusOK, t)
}

func parseTimeline(q url.Values) (t *timeline, limit int, err error) {
	t = &timeline{To: -1, Tracks: []track{}}
	if limit, err = number(q, "limit", defaultSlices, maxSlices); err != nil {
		return nil, 0, err
	}
	for name, to := range map[string]*int64{"from": &t.From, "to": &t.To} {
		if text := q.Get(name); text != "" {
			if *to, err = strconv.ParseInt(text, 10, 64); err != nil || *to < 0 {
				return nil, 0, fmt.Errorf("%s %q: want nanoseconds, 0 or more", name, text)
			}
		}
	}
	return t, limit, nil
}

// record is the owner's.
func (h *Handler) record(t *timeline, limit int) {
	t.Available = true
	t.First, t.Last = h.cfg.History.Span()
	if t.To < 0 {
		t.From, t.To = t.First, t.Last
	}
	found := h.cfg.History.Slices(t.From, t.To, limit+1)
	if t.Partial = len(found) > limit; t.Partial {
		found = found[len(found)-limit:]
	}
	at := map[fiber.ID]int{}
	for _, s := range found {
		n, known := at[s.Fiber]
		if !known {
			n = len(t.Tracks)
			at[s.Fiber] = n
			t.Tracks = append(t.Tracks, track{fiber: s.Fiber, ID: s.Fiber.String(), Name: cmp.Or(s.Name, h.views.of.Name(s.Fiber))})
		}
		t.Tracks[n].Slices = append(t.Tracks[n].Slices, trackSlice{s.From, s.To, s.State})
	}
	slices.SortFunc(t.Tracks, func(a, b track) int {
		return cmp.Or(cmp.Compare(a.fiber.Index(), b.fiber.Index()), cmp.Compare(a.fiber, b.fiber))
	})
}
