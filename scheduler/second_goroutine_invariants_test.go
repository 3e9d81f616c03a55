//go:build invariants

package scheduler

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// visitedClock has another goroutine call the scheduler while the owner waits.
type visitedClock struct {
	*VirtualClock
	call func()
	seen any
}

func (c *visitedClock) Wait(ctx context.Context, until fiber.Time, wakeCh <-chan struct{}) {
	left := make(chan struct{})
	go func() {
		defer close(left)
		defer func() { c.seen = recover() }()
		c.call()
	}()
	<-left
	c.VirtualClock.Wait(ctx, until, wakeCh)
}

func TestACallOfASecondGoroutineBesideAWaitingOwnerIsNamed(t *testing.T) {
	for call, of := range map[Op]func(s *Scheduler[int], id fiber.ID){
		op.Spawn:  func(s *Scheduler[int], _ fiber.ID) { _, _ = s.SpawnWith(1, Options{}) },
		op.Wake:   func(s *Scheduler[int], id fiber.ID) { s.Wake(id) },
		op.Cancel: func(s *Scheduler[int], id fiber.ID) { _ = s.Cancel(id, nil) },
		op.Kill:   func(s *Scheduler[int], id fiber.ID) { _ = s.Kill(id, nil) },
	} {
		clock := &visitedClock{VirtualClock: NewVirtualClock()}
		s := New[int](Config{Clock: clock})
		id, err := s.Spawn(1)
		require.NoError(t, err)
		clock.call = func() { of(s, id.ID()) }
		require.NoError(t, s.Run(context.Background(), MachineFunc[int](sleeper)))
		e, ok := clock.seen.(*ContractError)
		require.True(t, ok, "%v: %v", call, clock.seen)
		require.Equal(t, rule.OneOwner, e.Rule)
		require.Equal(t, call, e.Op)
		require.Contains(t, e.Fix, "another goroutine called "+call.String())
	}
}
