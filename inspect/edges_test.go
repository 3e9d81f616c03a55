package inspect

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

const worlds = 200

// textEdges are the edges of the report that people read: who waits on what, and who could end it.
func textEdges(r *scheduler.Report) (all []string) {
	for i := range r.Fibers {
		f := &r.Fibers[i]
		for _, on := range f.On {
			all = append(all, fmt.Sprintf("%v waits on %s", f.ID, on))
		}
		for _, id := range f.Holders {
			all = append(all, fmt.Sprintf("%v needs %v", f.ID, id))
		}
		if f.Callee != 0 {
			all = append(all, fmt.Sprintf("%v calls %v", f.ID, f.Callee))
		}
	}
	return normal(all)
}

func normal(edges []string) []string {
	slices.Sort(edges)
	return slices.Compact(edges)
}

// graphEdges are the same of the graph of the page.
func graphEdges(g Graph) (all []string) {
	names, holders := map[string]string{}, map[string][]string{}
	for _, n := range g.Nodes {
		names[n.ID] = n.Name
	}
	for _, e := range g.Edges {
		if e.Kind == "held" {
			holders[e.From] = append(holders[e.From], e.To)
		}
	}
	for _, e := range g.Edges {
		switch e.Kind {
		case "call":
			all = append(all, fmt.Sprintf("%s calls %s", e.From, e.To))
		case "waits":
			all = append(all, fmt.Sprintf("%s waits on %s", e.From, names[e.To]))
			for _, holder := range holders[e.To] {
				all = append(all, fmt.Sprintf("%s needs %s", e.From, holder))
			}
		}
	}
	return normal(all)
}

// detailEdges are the same of the pages of all fibers.
func detailEdges(t *testing.T, h *Handler, p List) (all []string) {
	for _, row := range p.Fibers {
		d := fetch[Detail](t, h, "/api/v1/fibers/"+row.ID)
		for _, on := range d.On {
			all = append(all, fmt.Sprintf("%s waits on %s", d.ID, on.Object))
			for _, holder := range on.Holders {
				all = append(all, fmt.Sprintf("%s needs %s", d.ID, holder.ID))
			}
		}
		if d.Call != "" {
			all = append(all, fmt.Sprintf("%s calls %s", d.ID, d.Call))
		}
	}
	return normal(all)
}

func reportEdges(r Report) (all []string) {
	for _, e := range r.Edges {
		if e.Call != "" {
			all = append(all, fmt.Sprintf("%s calls %s", e.Fiber, e.Call))
			continue
		}
		o := r.Objects[*e.Object]
		all = append(all, fmt.Sprintf("%s waits on %s", e.Fiber, o.Name))
		for _, holder := range o.Holders {
			all = append(all, fmt.Sprintf("%s needs %s", e.Fiber, holder))
		}
	}
	return normal(all)
}

// Graph, pages and JSON report have the edges of the text report of the same moment, and taking them changes nothing.
func TestEveryEndpointHasTheEdgesOfTheTextReport(t *testing.T) {
	edges, cycles, calls := 0, 0, 0
	for seed := range uint64(worlds) {
		w := newWorld(t, seed, 3+int(seed%6))
		w.run(10 + int(seed%40))
		h := New(patient(w))
		before, text := w.s.Inspect().Dump(), w.s.Inspect().Report()
		want := textEdges(text)
		serve(t, h, func() {
			g := fetch[Graph](t, h, "/api/v1/graph?limit=500")
			require.False(t, g.Partial)
			p := fetch[List](t, h, "/api/v1/fibers")
			require.Equal(t, want, graphEdges(g), "seed %d", seed)
			require.Equal(t, want, detailEdges(t, h, p), "seed %d", seed)
			require.Equal(t, want, reportEdges(fetch[Report](t, h, "/api/v1/report")), "seed %d", seed)
			require.Equal(t, ids(text.Cycle), g.Cycle)
			requireCycle(t, g)
		})
		require.Equal(t, before, w.s.Inspect().Dump(), "looking changes nothing")
		edges, cycles, calls = edges+len(want), cycles+len(text.Cycle), calls+w.s.Inspect().LiveTrampolines()
	}
	require.Greater(t, edges, worlds)
	require.NotZero(t, cycles)
	require.NotZero(t, calls)
}

// requireCycle checks that the marked edges lead once around the cycle.
func requireCycle(t *testing.T, g Graph) {
	next := map[string][]string{}
	for _, e := range g.Edges {
		if e.Cycle {
			next[e.From] = append(next[e.From], e.To)
		}
	}
	if len(g.Cycle) == 0 {
		require.Empty(t, next)
		return
	}
	for i, id := range g.Cycle {
		to := g.Cycle[(i+1)%len(g.Cycle)]
		reached := slices.Contains(next[id], to) // a native call
		for _, object := range next[id] {
			reached = reached || slices.Contains(next[object], to)
		}
		require.True(t, reached, "no marked way from %s to %s", id, to)
	}
}

// Around one fiber the graph has what it waits on, what it holds, and who waits for that; a limit is kept.
func TestAGraphAroundAFiberIsAPartOfTheWhole(t *testing.T) {
	for seed := range uint64(worlds) {
		w := newWorld(t, seed, 8)
		w.run(60)
		h := New(patient(w))
		serve(t, h, func() {
			whole := graphEdges(fetch[Graph](t, h, "/api/v1/graph?limit=500"))
			for _, row := range fetch[List](t, h, "/api/v1/fibers").Fibers {
				g := fetch[Graph](t, h, "/api/v1/graph?limit=500&around="+row.ID)
				require.Subset(t, whole, graphEdges(g))
				require.Equal(t, row.ID, g.Nodes[0].ID)
				few := fetch[Graph](t, h, "/api/v1/graph?limit=2&around="+row.ID)
				require.LessOrEqual(t, len(few.Nodes), 2)
				require.Equal(t, len(g.Nodes) > len(few.Nodes), few.Partial)
			}
		})
	}
}

// The list, the summary and the report agree with the scheduler.
func TestListSummaryAndReportAgree(t *testing.T) {
	for seed := range uint64(worlds) {
		w := newWorld(t, seed, 10)
		w.run(int(seed))
		h := New(patient(w))
		serve(t, h, func() {
			p, r, s := fetch[List](t, h, "/api/v1/fibers"), fetch[Report](t, h, "/api/v1/report"), fetch[Summary](t, h, "/api/v1/summary")
			require.Equal(t, Running, r.Verdict)
			require.Len(t, p.Fibers, len(r.Fibers))
			states := map[string]int{}
			for i, f := range r.Fibers {
				row := p.Fibers[i]
				require.Equal(t, []any{f.ID, f.Name, f.State, f.Reason, f.Deadline, f.External}, []any{row.ID, row.Name, row.State, row.Reason, row.Deadline, row.External})
				if f.Site != nil {
					require.Equal(t, r.Sites[*f.Site], row.Site)
				}
				require.False(t, row.Moved)
				if f.ID[0] == 'f' {
					states[f.State]++
				}
			}
			require.Equal(t, states["blocked"], s.Blocked)
			require.Equal(t, states["runnable"]+states["running"], s.Active)
			require.Equal(t, len(p.Fibers), s.Fibers+s.Calls)
			require.Equal(t, r.Transitions, s.Transitions)
			require.Equal(t, w.s.Inspect().Counts().Spawned, s.Spawned)
		})
	}
}

// A row whose fiber has run since the snapshot says so.
func TestARowSaysThatItsFiberHasMoved(t *testing.T) {
	w := newWorld(t, 1, 5)
	c := patient(w)
	c.Interval = 1 << 62
	h := New(c)
	serve(t, h, func() { fetch[List](t, h, "/api/v1/fibers") })
	id, err := fiber.ParseID("f0.1")
	require.NoError(t, err)
	require.NoError(t, w.s.Kill(id, nil))
	w.s.Poll()
	serve(t, h, func() {
		p := fetch[List](t, h, "/api/v1/fibers")
		require.Less(t, p.Transitions, p.ReadAt)
		require.True(t, p.Fibers[0].Moved, "it has ended")
		require.Equal(t, "runnable", p.Fibers[0].State, "as in the snapshot")
	})
}

// A fiber that is not there is dead, as the scheduler says, and connected to nothing.
func TestAFiberThatHasEndedIsDead(t *testing.T) {
	w := newWorld(t, 1, 2)
	h := New(patient(w))
	serve(t, h, func() {
		for _, id := range []string{"f1.2", "f77.1", "t0.1"} {
			d := fetch[Detail](t, h, "/api/v1/fibers/"+id)
			require.Equal(t, []any{id, "dead", []Event{}}, []any{d.ID, d.State, d.History})
			require.Empty(t, fetch[Graph](t, h, "/api/v1/graph?around="+id).Nodes)
		}
		for path, want := range map[string]int{
			"/api/v1/fibers/x": http.StatusBadRequest, "/api/v1/graph?around=x": http.StatusBadRequest, "/api/v1/graph?limit=501": http.StatusBadRequest,
			"/api/v1/nothing": http.StatusNotFound, "/nothing.js": http.StatusNotFound, "/../doc.go": http.StatusTemporaryRedirect,
		} {
			r := httptest.NewRecorder()
			h.ServeHTTP(r, request(http.MethodGet, path))
			require.Equal(t, want, r.Code, path)
		}
	})
}
