package fibers

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// stage is a host for test programs, and their output.
type stage struct {
	*Host
	t      *testing.T
	out    bytes.Buffer
	failed []*scheduler.UnobservedError // failures that were not joined
	stop   context.CancelFunc
	ctx    context.Context
}

// budgets must not change the output of a program: a switch before every instruction, switches at
// arbitrary places, and the default.
func budgets() []int {
	usual := scheduler.New[int](scheduler.Config{}).Inspect().Budget()
	if raced {
		return []int{1, usual}
	}
	return []int{1, 7, usual}
}

// set makes a stage with the access of the process, but with the input and the errors of the Config.
func set(t *testing.T, cfg Config) *stage {
	access := sandbox.Process()
	access.Stdin, access.Stderr = cfg.Access.Stdin, cfg.Access.Stderr
	cfg.Access = access
	return boxed(t, cfg)
}

// boxed makes a stage with the access of the Config. At the end of the test it closes the host and checks that
// nothing is left: no fiber, no goroutine, no difference between states and derived tables.
func boxed(t *testing.T, cfg Config) *stage {
	known := goleak.IgnoreCurrent()
	s := &stage{t: t}
	s.ctx, s.stop = context.WithCancel(context.Background())
	cfg.Access.Stdout = &s.out
	cfg.Runtime.Unobserved = func(f *scheduler.UnobservedError) { s.failed = append(s.failed, f) }
	s.Host = New(cfg)
	t.Cleanup(func() {
		s.stop()
		s.Close()
		sched := s.Runtime().Scheduler()
		sched.Inspect().Verify()
		require.Zero(t, sched.Inspect().Live(), "fibers left")
		require.Equal(t, s.Stats().Spawned, s.Stats().Ended)
		goleak.VerifyNone(t, known)
	})
	return s
}

// slice is a Config with a budget.
func slice(n int) (cfg Config) {
	cfg.Runtime.Budget = n
	return cfg
}

// global gives the programs a Go function.
func (s *stage) global(name string, fn glua.LGFunction) {
	s.State().Base().SetGlobal(name, s.State().Base().NewFunction(fn))
}

// try runs a program called p.lua.
func (s *stage) try(program string) error {
	_, err := s.Run(s.ctx, strings.NewReader(program), "p.lua")
	return err
}

// play runs a program that must not fail.
func (s *stage) play(program string) {
	s.t.Helper()
	require.NoError(s.t, s.try(program))
	require.Empty(s.t, s.failed)
}

// deadlock runs a program until no fiber can go on.
func (s *stage) deadlock(program string) *scheduler.Report {
	s.t.Helper()
	var d *scheduler.DeadlockError
	if err := s.try(program); !errors.As(err, &d) {
		s.t.Fatalf("the run ended with %v, not in a deadlock; printed %q", err, s.printed())
	}
	return d.Report
}

// printed is the output since the last call.
func (s *stage) printed() string {
	defer s.out.Reset()
	return s.out.String()
}
