package scheduler

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// payload is what a guest may hold: memory that must not live as long as the scheduler.
type payload = *[1 << 10]byte

// A dead fiber's slot may wait for its next fiber as long as the scheduler lives, so it must not
// hold the payload.
func TestTheSlotOfADeadFiberDoesNotHoldThePayload(t *testing.T) {
	blocked := func(s *Scheduler[payload], id fiber.RegularID) {
		require.NotNil(t, s.ScheduleNext())
		s.BlockForQueue()
		s.Kill(id.ID(), nil)
	}
	for name, c := range map[string]struct {
		options     Options
		generations uint32
		end         func(s *Scheduler[payload], id fiber.RegularID)
	}{
		"it exits": {Options{}, 0, func(s *Scheduler[payload], _ fiber.RegularID) {
			require.NotNil(t, s.ScheduleNext())
			s.KillCurrent()
		}},
		"it exits with a result": {Options{Cell: new(ioqueue.Cell)}, 0, func(s *Scheduler[payload], _ fiber.RegularID) {
			require.NotNil(t, s.ScheduleNext())
			s.Exit(1, nil)
		}},
		"it is killed while it waits": {Options{}, 0, blocked},
		"it is killed while it is ready": {Options{}, 0, func(s *Scheduler[payload], id fiber.RegularID) {
			s.Kill(id.ID(), nil)
			s.Poll()
		}},
		"it moves out": {Options{Movable: true}, 0, func(s *Scheduler[payload], id fiber.RegularID) {
			moved, err := s.Moves().MoveOut(id)
			require.NoError(t, err)
			require.NotNil(t, moved.Data, "the payload moves with the fiber")
		}},
		"its generations are used up": {Options{}, 1, blocked},
	} {
		t.Run(name, func(t *testing.T) {
			s := New[payload](Config{Generations: c.generations})
			held := new([1 << 10]byte)
			watched := weak.Make(held)
			id, err := s.SpawnWith(held, c.options)
			require.NoError(t, err)
			s.Poll()
			c.end(s, id)
			require.Zero(t, s.Inspect().Live())
			held = nil
			runtime.GC()
			require.True(t, watched.Value() == nil, "the payload is held")
			runtime.KeepAlive(s)
		})
	}
}
