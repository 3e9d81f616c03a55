package inspect

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const clients = 50

// together makes requests of many clients at the same time.
func together(t *testing.T, h *Handler, paths ...string) {
	t.Helper()
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for n := range 10 {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, request(http.MethodGet, paths[(i+n)%len(paths)]))
				if w.Code != http.StatusOK {
					t.Errorf("%d: %s", w.Code, w.Body)
				}
			}
		})
	}
	all.Wait()
}

func TestManyClientsShareOneSnapshot(t *testing.T) {
	w := newWorld(t, 1, 20)
	w.run(40)
	c := patient(w)
	c.Interval = 1 << 62
	h := New(c)
	h.owner.queue = make(chan *ask, clients) // so that none is refused
	serve(t, h, func() {
		together(t, h, "/api/v1/fibers", "/api/v1/fibers?sort=-name&search=e", "/api/v1/fibers/f3.1", "/api/v1/summary")
	})
	require.Equal(t, uint64(1), h.views.taken.Load())
	serve(t, h, func() { together(t, h, "/api/v1/graph", "/api/v1/fibers") })
	require.Equal(t, uint64(2), h.views.taken.Load(), "one more, for what a list does not need")
	requireReleased(t, h)
}

// With an interval of nothing each request needs a snapshot that is new, but those that wait share the one under way.
func TestRequestsThatWaitShareTheSnapshotUnderWay(t *testing.T) {
	w := newWorld(t, 1, 20)
	w.run(40)
	h := New(patient(w))
	first := h.views
	var all sync.WaitGroup
	started := make(chan struct{}, clients)
	for range clients {
		all.Go(func() {
			started <- struct{}{}
			v, err := first.get(false)
			if err == nil {
				first.release(v)
			}
		})
	}
	for range clients {
		<-started
	}
	serve(t, h, all.Wait)
	require.LessOrEqual(t, h.views.taken.Load(), uint64(clients))
	require.NotZero(t, h.views.taken.Load())
	requireReleased(t, h)
}

// requireReleased checks that no request has kept a view: only the current one is in use, by the views themselves.
func requireReleased(t *testing.T, h *Handler) {
	t.Helper()
	require.Equal(t, 1, h.views.current.refs)
	require.LessOrEqual(t, len(h.views.spare), maxSpare)
	for _, v := range h.views.spare {
		require.Zero(t, v.refs)
		require.NotSame(t, h.views.current, v)
	}
}

// The memory of a snapshot that no request uses is used again.
func TestASnapshotUsesTheMemoryOfAnEarlierOne(t *testing.T) {
	w := newWorld(t, 1, 20)
	h := New(patient(w))
	seen := map[*view]bool{}
	serve(t, h, func() {
		for range 20 {
			v, err := h.views.get(false)
			require.NoError(t, err)
			seen[v] = true
			h.views.release(v)
			h.views.outdate()
		}
	})
	require.Equal(t, uint64(20), h.views.taken.Load())
	require.LessOrEqual(t, len(seen), 2)
}

// What takes the owner long is done less often: at most a twentieth of its time.
func TestASlowSnapshotIsTakenLessOften(t *testing.T) {
	h := New(patient(newWorld(t, 1, 1)))
	v := &view{taken: time.Now().Add(-time.Hour)}
	require.False(t, h.views.isYoung(v))
	h.views.charge(v, time.Hour)
	require.True(t, h.views.isYoung(v))
}
