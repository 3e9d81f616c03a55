package inspect

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// BenchmarkSlicesWithAPageOpen runs time slices beside 100,000 fibers that wait: without an inspector, with a page
// that shows the list, and with one that shows it by name. What the inspector costs is the ratio to off.
func BenchmarkSlicesWithAPageOpen(b *testing.B) {
	for name, paths := range map[string][]string{
		"off":     nil,
		"list":    {"/api/v1/summary", "/api/v1/fibers?limit=40"},
		"by name": {"/api/v1/summary", "/api/v1/fibers?limit=40&sort=name"},
	} {
		b.Run(name, func(b *testing.B) {
			s := waiters(b, 100_000)
			h := New(Config{Core: &s.Core})
			stop, stopped := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(stopped)
				look(h, paths, stop)
			}()
			for b.Loop() {
				for s.ScheduleNext() == nil {
					s.Poll()
				}
				s.YieldCurrent()
			}
			close(stop)
			h.Close()
			<-stopped
		})
	}
}

// look asks again and again, as a page does that draws what it gets.
func look(h *Handler, paths []string, stop <-chan struct{}) {
	for len(paths) > 0 {
		for _, path := range paths {
			select {
			case <-stop:
				return
			default:
				h.ServeHTTP(httptest.NewRecorder(), request(http.MethodGet, path))
			}
		}
	}
}

// waiters is a scheduler with fibers that wait, and one that runs.
func waiters(b *testing.B, n int) *scheduler.Scheduler[int] {
	s := scheduler.New[int](scheduler.Config{MaxFibers: 2 * n})
	for i := range n {
		if _, err := s.SpawnWith(i, scheduler.Options{Name: "worker"}); err != nil {
			b.Fatal(err)
		}
		for s.ScheduleNext() == nil {
			s.Poll()
		}
		s.Arm(fiber.Until(1 << 40))
		s.Block()
	}
	if _, err := s.Spawn(n); err != nil {
		b.Fatal(err)
	}
	return s
}
