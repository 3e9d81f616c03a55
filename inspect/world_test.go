package inspect

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// world is a scheduler whose fibers do random things: take locks, receive, select, join, sleep and call native code.
type world struct {
	t       testing.TB
	s       *scheduler.Scheduler[int]
	rng     *rand.Rand
	locks   [3]*wait.Mutex
	permits *wait.Semaphore
	table   *wait.RWMutex
	chans   [2]*wait.Chan[int]
	cells   []*ioqueue.Cell
}

func newWorld(t testing.TB, seed uint64, fibers int) *world {
	w := &world{t: t, rng: rand.New(rand.NewPCG(seed, 0)), permits: wait.NewSemaphore(2), table: new(wait.RWMutex)}
	w.s = scheduler.New[int](scheduler.Config{Site: func(id fiber.RegularID) string {
		return []string{"", "a.x:1", "b.x:2"}[id.Index()%3]
	}})
	for i := range w.locks {
		w.locks[i] = new(wait.Mutex)
	}
	for i := range w.chans {
		w.chans[i] = wait.NewChan[int](i)
	}
	for i := range fibers {
		cell := new(ioqueue.Cell)
		w.cells = append(w.cells, cell)
		name := []string{"", "Worker", "reader"}[w.rng.IntN(3)]
		_, err := w.s.SpawnWith(i, scheduler.Options{Name: name, Cell: cell})
		require.NoError(t, err)
	}
	return w
}

// run lets up to n fibers do one thing each.
func (w *world) run(n int) {
	for range n {
		f := w.s.ScheduleNext()
		if f == nil {
			if !w.s.Poll() {
				return
			}
			continue
		}
		w.s.Claim()
		if !w.act() {
			w.s.YieldCurrent()
		}
	}
}

// act does one thing, and tells whether the fiber is blocked by it.
func (w *world) act() bool {
	id := w.s.Current()
	reason := fiber.OnQueue()
	if w.rng.IntN(6) == 0 {
		reason = reason.WithDeadline(1_000_000)
	}
	lock, ch := w.locks[w.rng.IntN(len(w.locks))], w.chans[w.rng.IntN(len(w.chans))]
	switch w.rng.IntN(9) {
	case 0, 1, 2:
		return w.acquire(reason, func() (bool, error) { return lock.TryLock(id) },
			func(t fiber.Ticket) error { return lock.ParkLock(t, id) }, lock.Source())
	case 3:
		return w.acquire(reason, func() (bool, error) { return w.permits.TryAcquire(id, 1) },
			func(t fiber.Ticket) error { return w.permits.ParkAcquire(t, id, 1) }, w.permits.Source())
	case 4:
		return w.acquire(reason, func() (bool, error) { return w.table.TryRLock(id) },
			func(t fiber.Ticket) error { return w.table.ParkRLock(t, id) }, w.table.Source())
	case 5:
		return w.acquire(reason, func() (bool, error) { return w.table.TryLock(id) },
			func(t fiber.Ticket) error { return w.table.ParkLock(t, id) }, w.table.Source())
	case 6:
		return w.acquire(reason, func() (bool, error) { return false, nil }, func(t fiber.Ticket) error { return ch.ParkRecv(t, 0) }, ch.Source())
	case 7:
		return w.selectOrJoin(reason, ch)
	}
	w.s.Arm(fiber.Until(fiber.Time(1_000_000 + w.rng.IntN(1000))))
	w.s.Block()
	return true
}

// acquire takes something, or waits for it, half of the time within a native call.
func (w *world) acquire(r fiber.Reason, try func() (bool, error), park func(fiber.Ticket) error, src fiber.Source) bool {
	if ok, err := try(); ok || err != nil {
		return false // it is held already, or free
	}
	if w.rng.IntN(4) == 0 {
		_, err := w.s.AcquireTrampoline()
		require.NoError(w.t, err)
	}
	t := w.s.Arm(r, src)
	require.NoError(w.t, park(t))
	w.s.Block()
	return true
}

func (w *world) selectOrJoin(r fiber.Reason, ch *wait.Chan[int]) bool {
	cases := []wait.Case{wait.RecvFrom(ch)}
	if target := w.rng.IntN(len(w.cells)); uint32(target) != w.s.Current().Index() {
		join, err := wait.JoinOn(w.cells[target], w.s.Current())
		require.NoError(w.t, err)
		cases = append(cases, join)
	}
	s := wait.NewSelect(cases...)
	t := w.s.Arm(r, s.Sources(nil)...)
	require.NoError(w.t, s.Park(t))
	w.s.Block()
	return true
}

// serve lets the owner answer requests while f runs.
func serve(t testing.TB, h *Handler, f func()) {
	ctx, cancel := context.WithCancel(context.Background())
	held := make(chan struct{})
	go func() {
		defer close(held)
		h.Hold(ctx)
	}()
	defer func() {
		cancel()
		<-held
	}()
	f()
}

// request is one of this machine, which no browser has sent.
func request(method, path string) *http.Request {
	r := httptest.NewRequest(method, "http://localhost"+path, nil)
	if method == http.MethodPost {
		r.Header.Set(ControlHeader, "1")
	}
	return r
}

// fetch makes a request that must succeed.
func fetch[T any](t testing.TB, h http.Handler, path string) (answer T) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request(http.MethodGet, path))
	require.Equal(t, http.StatusOK, w.Code, "%s: %s", path, w.Body)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
	return answer
}

// refusal is the status and text of a request that must fail.
func refusal(t testing.TB, h http.Handler, r *http.Request) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var f Failure
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &f), "%s", w.Body)
	require.NotEmpty(t, f.Error)
	return w.Code, f.Error
}

// patient is a configuration whose requests wait for the owner as long as the test may take, and whose snapshots are always new.
func patient(w *world) Config {
	return Config{Core: &w.s.Core, Interval: 1, Timeout: 1 << 62}
}
