package inspect

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// plainList is the list as a simple program makes it: filter all rows, sort them, and cut a page out.
func plainList(all []Row, search, state, reason, by string, offset, limit int) (matched int, part []string) {
	search = strings.ToLower(strings.TrimSpace(search))
	var list []Row
	for _, r := range all {
		found := search == "" || strings.HasPrefix(r.ID, search) || strings.Contains(strings.ToLower(r.Name), search) || strings.Contains(strings.ToLower(r.Site), search)
		if found && (state == "" || r.State == state) && (reason == "" || r.Reason == reason) {
			list = append(list, r)
		}
	}
	key, down := strings.CutPrefix(by, "-")
	if key != "id" && key != "" {
		slices.SortStableFunc(list, func(a, b Row) int { return compareRows(key, down, a, b) })
	} else if down {
		slices.Reverse(list)
	}
	part = []string{}
	for i, r := range list {
		if i >= offset && i < offset+limit {
			part = append(part, r.ID)
		}
	}
	return len(list), part
}

func compareRows(key string, down bool, a, b Row) int {
	if key == "deadline" {
		switch {
		case a.Deadline == nil || b.Deadline == nil:
			return cmp.Compare(fmt.Sprint(a.Deadline == nil), fmt.Sprint(b.Deadline == nil)) // "false" before "true"
		case down:
			return cmp.Compare(*b.Deadline, *a.Deadline)
		}
		return cmp.Compare(*a.Deadline, *b.Deadline)
	}
	x, y := cell(key, a), cell(key, b)
	switch {
	case x == "" || y == "":
		return cmp.Compare(len(y), len(x)) * min(1, len(x)+len(y))
	case down:
		return strings.Compare(y, x)
	}
	return strings.Compare(x, y)
}

func cell(key string, r Row) string {
	switch key {
	case "name":
		return r.Name
	case "state":
		return r.State
	case "reason":
		return r.Reason
	case "site":
		return r.Site
	}
	return strings.Join(r.Waits[:min(1, len(r.Waits))], "")
}

func TestEveryPageIsThePartOfAPlainSort(t *testing.T) {
	w := newWorld(t, 7, 40)
	w.run(120)
	h := New(patient(w))
	serve(t, h, func() {
		all := fetch[List](t, h, "/api/v1/fibers?limit=500").Fibers
		rapid.Check(t, func(t *rapid.T) {
			search := rapid.SampledFrom([]string{"", "work", "WORKER ", "f1", "f1.1", "t0", "a.x", "x:", "none", "r"}).Draw(t, "search")
			state := rapid.SampledFrom([]string{"", "runnable", "running", "blocked"}).Draw(t, "state")
			reason := rapid.SampledFrom([]string{"", "queue", "timer", "io"}).Draw(t, "reason")
			by := rapid.SampledFrom(append(columns(), "")).Draw(t, "sort")
			if rapid.Bool().Draw(t, "down") {
				by = "-" + by
			}
			offset, limit := rapid.IntRange(0, 60).Draw(t, "offset"), rapid.IntRange(0, 60).Draw(t, "limit")
			q := url.Values{"search": {search}, "state": {state}, "reason": {reason}, "sort": {by}, "offset": {fmt.Sprint(offset)}, "limit": {fmt.Sprint(limit)}}
			p := fetch[List](w.t, h, "/api/v1/fibers?"+q.Encode())
			matched, want := plainList(all, search, state, reason, by, offset, limit)
			got := []string{}
			for _, r := range p.Fibers {
				got = append(got, r.ID)
			}
			require.Equal(t, want, got)
			require.Equal(t, []int{matched, len(all), offset}, []int{p.Matched, p.Total, p.Offset})
		})
	})
}

func TestAListThatMakesNoSenseIsRefused(t *testing.T) {
	h := New(patient(newWorld(t, 1, 1)))
	for query, want := range map[string]string{
		"sort=color": "want one of id, name", "state=dead": "want runnable", "reason=hunger": "want queue",
		"offset=-1": "want a number", "limit=501": "want a number from 0 to 500", "limit=x": "want a number",
		"offset=99999999999999999999": "want a number", "search=" + strings.Repeat("x", maxSearch+1): "more than 200 bytes",
	} {
		status, text := refusal(t, h, request(http.MethodGet, "/api/v1/fibers?"+query))
		require.Equal(t, http.StatusBadRequest, status, query)
		require.Contains(t, text, want)
	}
}

// FuzzAnyRequestGetsAnAnswer: whatever a client asks for, there is an answer and no panic.
func FuzzAnyRequestGetsAnAnswer(f *testing.F) {
	w := newWorld(f, 3, 6)
	w.run(30)
	h := New(Config{Core: &w.s.Core, Interval: 1, Timeout: 1 << 62})
	for _, seed := range []string{"fibers?offset=1073741824&limit=500", "fibers/f0.1", "graph?around=t0.1&limit=0", "timeline?from=5&to=1", "fibers?sort=-deadline&search=f", "summary"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		u, err := url.Parse("http://localhost/api/v1/" + path)
		if err != nil || strings.HasPrefix(u.Path, "/api/v1/events") {
			return
		}
		r := request(http.MethodGet, "/")
		r.URL = u
		serve(t, h, func() { h.ServeHTTP(&discard{header: http.Header{}}, r) })
	})
}

// discard is a client that reads nothing.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}
