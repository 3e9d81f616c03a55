package inspect

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/scheduler"
)

// threeParts are a program of the world's scheduler, one that has stopped, and one whose owner does not answer.
func threeParts(t *testing.T, w *world) Config {
	stopped, silent := scheduler.New[int](scheduler.Config{}), scheduler.New[int](scheduler.Config{})
	stopped.Close()
	t.Cleanup(silent.Close)
	cfg := patient(w)
	cfg.Timeout = 1
	cfg.Islands = func() []Scheduler {
		return []Scheduler{{Name: "main", Core: &w.s.Core}, {Name: "stopped", Core: &stopped.Core}, {Name: "silent", Core: &silent.Core}}
	}
	return cfg
}

func TestAnIslandWhoseOwnerDoesNotAnswerIsMissing(t *testing.T) {
	h := New(threeParts(t, newWorld(t, 1, 3)))
	got := fetch[SetReport](t, h, "/api/v1/islands")
	require.Equal(t, []Part{
		{Name: "main", Missing: errUnanswered.Error()}, {Name: "stopped", Missing: scheduler.ErrStopped.Error()}, {Name: "silent", Missing: errUnanswered.Error()},
	}, got.Parts, "nothing drives the first yet")
	require.Equal(t, 3, h.blank().Islands)
}

// After the run the goroutine that holds answers for its own scheduler, whose inbox may be closed.
func TestTheIslandsAreThereWhileAnswersAreHeld(t *testing.T) {
	w := newWorld(t, 1, 3)
	cfg := threeParts(t, w)
	cfg.Timeout = 1 << 62
	all := cfg.Islands()[:2]
	cfg.Islands = func() []Scheduler { return all }
	h := New(cfg)
	h.End("done", "")
	serve(t, h, func() {
		got := fetch[SetReport](t, h, "/api/v1/islands")
		require.Equal(t, Part{Name: "main", Transitions: w.s.Inspect().Transitions(), Ready: 3}, got.Parts[0])
		require.NotEmpty(t, got.Parts[1].Missing)
		w.s.Close()
		require.Empty(t, fetch[SetReport](t, h, "/api/v1/islands").Parts[0].Missing)
	})
	h.Close()
	require.Equal(t, errOver.Error(), fetch[SetReport](t, h, "/api/v1/islands").Parts[0].Missing)
}

func TestAProgramWithoutIslandsHasNone(t *testing.T) {
	h := New(patient(newWorld(t, 1, 1)))
	require.Equal(t, SetReport{Version: Version, Parts: []Part{}, Ports: []Port{}, Waits: []PortWait{}}, fetch[SetReport](t, h, "/api/v1/islands"))
	require.Zero(t, h.blank().Islands)
}

// A program makes as many ports as it likes; what is left out is counted.
func TestAnAnswerHasAThousandPortsAtMost(t *testing.T) {
	w := newWorld(t, 1, 1)
	cfg := patient(w)
	ends := make([]End, 1_500)
	for i := range ends {
		ends[i] = End{Port: fmt.Sprint("port ", i), Waiting: 1}
	}
	cfg.Islands = func() []Scheduler {
		return []Scheduler{{Name: "main", Core: &w.s.Core, Ends: func() []End { return ends }}}
	}
	h := New(cfg)
	serve(t, h, func() {
		got := fetch[SetReport](t, h, "/api/v1/islands")
		require.Len(t, got.Ports, 1_000)
		require.Len(t, got.Waits, 1_000)
		require.Equal(t, 1_000, got.Left)
		for _, wait := range got.Waits {
			require.Less(t, wait.Port, len(got.Ports))
		}
	})
}

func TestAPanicOfTheListOfIslandsHoldsNoOtherRequestUp(t *testing.T) {
	cfg := patient(newWorld(t, 1, 1))
	fails := false
	cfg.Islands = func() []Scheduler {
		if fails {
			panic("no list")
		}
		return nil
	}
	h := New(cfg)
	fails = true
	for range 2 {
		require.Panics(t, func() { h.sets.get() })
		require.Panics(t, func() { _, _ = h.summary() })
	}
	fails = false
	require.Empty(t, fetch[SetReport](t, h, "/api/v1/islands").Parts)
}

// However many ask at once, an island has one question of each form, and its owner is kept until it has ended.
func TestRequestsAtTheSameTimeShareOneQuestion(t *testing.T) {
	w, other := newWorld(t, 1, 3), scheduler.New[int](scheduler.Config{})
	cfg := patient(w)
	all := []Scheduler{{Name: "other", Core: &other.Core}}
	cfg.Islands = func() []Scheduler { return all }
	h := New(cfg)
	var clients sync.WaitGroup
	for range 50 {
		clients.Go(func() { fetch[SetReport](t, h, "/api/v1/islands") })
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		clients.Wait()
	}()
	for polling := true; polling; {
		select {
		case <-over:
			polling = false
		default:
			waiting, _ := other.Inbox().Queued()
			require.LessOrEqual(t, waiting, 1)
			other.Poll()
		}
	}
	require.Len(t, h.sets.owners, 2)
	all = nil
	fetch[SetReport](t, h, "/api/v1/islands")
	require.Len(t, h.sets.owners, 1, "that of the Handler")
}
