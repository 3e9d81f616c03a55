package inspect

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// controlled is a handler that may change a scheduler with a sleeper.
func controlled(t *testing.T) (h *Handler, s *scheduler.Scheduler[int], id fiber.RegularID) {
	s = scheduler.New[int](scheduler.Config{})
	id, err := s.Spawn(0)
	require.NoError(t, err)
	s.Poll()
	s.ScheduleNext()
	s.Arm(fiber.Until(1000))
	s.Block()
	return New(Config{Core: &s.Core, Control: true, Interval: 1 << 62, Timeout: 1 << 62}), s, id
}

func post(t *testing.T, h *Handler, path string, status int) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request(http.MethodPost, path))
	require.Equal(t, status, w.Code, "%s: %s", path, w.Body)
}

func TestAFiberIsPausedAndResumed(t *testing.T) {
	h, s, id := controlled(t)
	serve(t, h, func() {
		require.False(t, fetch[List](t, h, "/api/v1/fibers").Fibers[0].Paused)
		post(t, h, "/api/v1/fibers/f0.1/pause", http.StatusOK)
		require.True(t, fetch[List](t, h, "/api/v1/fibers").Fibers[0].Paused)
	})
	require.True(t, s.Inspect().Paused(id.ID()))
	serve(t, h, func() { post(t, h, "/api/v1/fibers/f0.1/resume", http.StatusOK) })
	require.False(t, s.Inspect().Paused(id.ID()))
}

// The answer to a change is not hidden by a snapshot from before it, however old a snapshot may be.
func TestAFiberIsCancelledAndKilled(t *testing.T) {
	h, s, id := controlled(t)
	serve(t, h, func() {
		require.Equal(t, "blocked", fetch[List](t, h, "/api/v1/fibers").Fibers[0].State)
		post(t, h, "/api/v1/fibers/f0.1/cancel", http.StatusOK)
		require.Equal(t, "runnable", fetch[List](t, h, "/api/v1/fibers").Fibers[0].State)
	})
	s.Poll()
	s.ScheduleNext()
	_, result := s.Claim()
	require.Equal(t, fiber.Cancelled, result.Code)
	require.ErrorIs(t, s.Unwind().Cause(id.ID()), ErrRequested)
	s.YieldCurrent()
	serve(t, h, func() { post(t, h, "/api/v1/fibers/f0.1/kill", http.StatusOK) })
	s.Poll()
	require.Equal(t, fiber.Dead, s.Inspect().State(id.ID()))
	serve(t, h, func() {
		for _, action := range []string{"cancel", "kill", "pause", "resume"} {
			post(t, h, "/api/v1/fibers/f0.1/"+action, http.StatusNotFound)
		}
		post(t, h, "/api/v1/fibers/f0.1/praise", http.StatusNotFound)
		post(t, h, "/api/v1/fibers/zero/kill", http.StatusBadRequest)
	})
}

func TestNothingIsChangedAfterTheRun(t *testing.T) {
	h, s, id := controlled(t)
	h.End("deadlock", "")
	before := s.Inspect().Dump()
	serve(t, h, func() { post(t, h, "/api/v1/fibers/f0.1/kill", http.StatusConflict) })
	require.Equal(t, before, s.Inspect().Dump())
	require.Equal(t, fiber.Blocked, s.Inspect().State(id.ID()))
}
