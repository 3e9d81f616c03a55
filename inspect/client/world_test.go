package client_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hostile is a name that would take over a terminal.
const hostile = "\x1b]0;owned\x07\u202e\x9b31mname\r\n"

// deadlocked is a scheduler with two fibers that hold a lock each and wait for that of the other, and one of a hostile
// name that waits for a message.
func deadlocked(t *testing.T) *scheduler.Scheduler[int] {
	s := scheduler.New[int](scheduler.Config{Site: func(fiber.RegularID) string { return "bank.x:7" }})
	locks := [2]*wait.Mutex{new(wait.Mutex), new(wait.Mutex)}
	for i, name := range []string{"alice", "bob", hostile} {
		_, err := s.SpawnWith(i, scheduler.Options{Name: name})
		require.NoError(t, err)
	}
	for range 2 { // each takes its own
		f := s.ScheduleNext()
		s.Claim()
		ok, err := locks[f.Data].TryLock(s.Current())
		require.True(t, ok)
		require.NoError(t, err)
		s.YieldCurrent()
	}
	var messages wait.Chan[string]
	for {
		f := s.ScheduleNext()
		if f == nil {
			if !s.Poll() {
				return s
			}
			continue
		}
		s.Claim()
		if f.Data == 2 {
			require.NoError(t, messages.ParkRecv(s.Arm(fiber.OnQueue(), messages.Source()), 0))
		} else {
			other := locks[1-f.Data]
			require.NoError(t, other.ParkLock(s.Arm(fiber.OnQueue(), other.Source()), s.Current()))
		}
		s.Block()
	}
}

// served is an inspector of the deadlocked program, whose run goes on or has ended.
type served struct {
	url     string
	handler *inspect.Handler
	server  *inspect.Server
}

func serve(t *testing.T, c inspect.Config) *served {
	s := deadlocked(t)
	c.Core, c.Program, c.Interval = &s.Core, "bank.x", time.Millisecond
	l, err := inspect.Listen("127.0.0.1:0")
	require.NoError(t, err)
	w := &served{url: l.URL(c.Token), handler: inspect.New(c)}
	w.server, err = inspect.Serve(l, w.handler)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	held := make(chan struct{})
	go func() {
		defer close(held)
		w.handler.Hold(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-held
		w.server.Close()
	})
	return w
}

// dial makes a client that the test closes.
func dial(t *testing.T, address string, o client.Options) *client.Client {
	c, err := client.New(address, o)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// foreign is a server that is no inspector.
func foreign(t *testing.T, answer http.HandlerFunc) string {
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s.URL
}
