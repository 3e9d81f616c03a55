package top

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
	"github.com/selvage-dev/selvage/scheduler"
)

// program is an inspector of so many fibers, of which none runs.
type program struct {
	handler *inspect.Handler
	client  *client.Client
}

func serve(t *testing.T, fibers int, token string, prepare ...func(*scheduler.Scheduler[int])) *program {
	s := scheduler.New[int](scheduler.Config{})
	for i := range fibers {
		_, err := s.SpawnWith(i, scheduler.Options{Name: []string{"alice", "bob\x1b[2J"}[i%2]})
		require.NoError(t, err)
	}
	for _, f := range prepare {
		f(s)
	}
	l, err := inspect.Listen("127.0.0.1:0")
	require.NoError(t, err)
	p := &program{handler: inspect.New(inspect.Config{Core: &s.Core, Program: "demo", Control: true, Interval: time.Millisecond, Token: token})}
	server, err := inspect.Serve(l, p.handler)
	require.NoError(t, err)
	p.client, err = client.New(l.URL(token), client.Options{Retry: time.Millisecond})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	held := make(chan struct{})
	go func() {
		defer close(held)
		p.handler.Hold(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-held
		server.Close()
		p.client.Close()
	})
	return p
}
