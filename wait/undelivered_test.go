package wait_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// waiter is a fiber that waits for an object, or for none. An object that has chosen it returns a
// wake-up; in these tests its wait ends before the wake-up is applied.
type waiter struct {
	id     fiber.ID
	ticket fiber.Ticket
}

func newWaiter(t *testing.T, s *scheduler.Scheduler[int], o scheduler.Options, src fiber.Source, park func(fiber.Ticket, fiber.ID) error) waiter {
	t.Helper()
	id, err := s.SpawnWith(0, o)
	require.NoError(t, err)
	s.Poll()
	require.NotNil(t, s.ScheduleNext())
	w := waiter{id: id.ID()}
	if src == nil {
		w.ticket = s.ArmForQueue()
	} else {
		w.ticket = s.Arm(fiber.OnQueue().WithDeadline(9), src)
	}
	require.NoError(t, park(w.ticket, w.id))
	s.Block()
	return w
}

// kills are the two ways in which a kill ends a wait: the fiber is dead at once, or has frames
// that unwind first.
var kills = map[string]scheduler.Options{"without frames": {}, "with frames": {Frames: true}}

func TestAValueForAKilledReceiverIsCountedBeforeItsWakeUpIsApplied(t *testing.T) {
	for name, o := range kills {
		t.Run(name, func(t *testing.T) {
			var tickets []fiber.Ticket
			s := scheduler.New[int](scheduler.Config{Lost: func(t fiber.Ticket) { tickets = append(tickets, t) }})
			ch := wait.NewChan[string](0)
			var values []string
			ch.OnLost(func(v string) { values = append(values, v) })
			receiver := newWaiter(t, s, o, ch.Source(), func(t fiber.Ticket, _ fiber.ID) error { return ch.ParkRecv(t, 0) })

			sent, wake, err := ch.TrySend("mail")
			require.True(t, sent)
			require.NoError(t, err)
			require.NoError(t, s.Kill(receiver.id, nil))

			require.Equal(t, []string{"mail"}, values)
			require.Equal(t, []fiber.Ticket{receiver.ticket}, tickets)
			require.EqualValues(t, 1, s.Inspect().Counts().Lost)
			require.False(t, s.Apply(wake).Accepted())
			require.EqualValues(t, 1, s.Inspect().Counts().Lost)
			s.Inspect().Verify()
		})
	}
}

func TestALockForAKilledFiberGoesToTheNextBeforeItsWakeUpIsApplied(t *testing.T) {
	for name, o := range kills {
		t.Run(name, func(t *testing.T) {
			s := scheduler.New[int](scheduler.Config{})
			lock := wait.NewMutex(wait.HandOver)
			owner := newWaiter(t, s, scheduler.Options{}, nil, func(_ fiber.Ticket, id fiber.ID) error {
				_, err := lock.TryLock(id)
				return err
			})
			first := newWaiter(t, s, o, lock.Source(), lock.ParkLock)
			second := newWaiter(t, s, o, lock.Source(), lock.ParkLock)

			wake, err := lock.Unlock(owner.id)
			require.NoError(t, err)
			require.Equal(t, first.id, lock.Owner())
			require.NoError(t, s.Kill(first.id, nil))

			require.Equal(t, second.id, lock.Owner())
			require.Equal(t, fiber.Runnable, s.Inspect().State(second.id))
			require.False(t, s.Apply(wake).Accepted())
			s.Inspect().Verify()
		})
	}
}

// A wait also ends without a delivery when its fiber is cancelled, and by its deadline.
func TestALockForAFiberThatGaveUpGoesToTheNextBeforeItsWakeUpIsApplied(t *testing.T) {
	for name, giveUp := range map[string]func(s *scheduler.Scheduler[int], c *scheduler.VirtualClock, id fiber.ID){
		"cancelled": func(s *scheduler.Scheduler[int], _ *scheduler.VirtualClock, id fiber.ID) {
			require.NoError(t, s.Cancel(id, nil))
		},
		"deadline": func(s *scheduler.Scheduler[int], c *scheduler.VirtualClock, _ fiber.ID) {
			c.Advance(9)
			s.Steps().CheckTimers()
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := scheduler.NewVirtualClock()
			s := scheduler.New[int](scheduler.Config{Clock: c})
			lock := wait.NewMutex(wait.HandOver)
			owner := newWaiter(t, s, scheduler.Options{}, nil, func(_ fiber.Ticket, id fiber.ID) error {
				_, err := lock.TryLock(id)
				return err
			})
			first := newWaiter(t, s, scheduler.Options{}, lock.Source(), lock.ParkLock)
			second := newWaiter(t, s, scheduler.Options{}, lock.Source(), lock.ParkLock)

			wake, err := lock.Unlock(owner.id)
			require.NoError(t, err)
			giveUp(s, c, first.id)

			require.Equal(t, second.id, lock.Owner())
			require.Equal(t, fiber.Runnable, s.Inspect().State(second.id))
			require.False(t, s.Apply(wake).Accepted())
			require.EqualValues(t, 1, s.Inspect().Counts().Lost)
			s.Inspect().Verify()
		})
	}
}

// The fiber takes its wait back, or cannot begin it.
func TestAValueForAWaitThatIsNotBegunIsCounted(t *testing.T) {
	for name, giveUp := range map[string]func(s *scheduler.Scheduler[int], id fiber.ID){
		"disarmed":         func(s *scheduler.Scheduler[int], _ fiber.ID) { s.Disarm() },
		"cancelled, block": func(s *scheduler.Scheduler[int], id fiber.ID) { _ = s.Cancel(id, nil); s.Block() },
		"killed, block":    func(s *scheduler.Scheduler[int], id fiber.ID) { _ = s.Kill(id, nil); s.Block() },
	} {
		t.Run(name, func(t *testing.T) {
			s := scheduler.New[int](scheduler.Config{})
			ch := wait.NewChan[string](0)
			var values []string
			ch.OnLost(func(v string) { values = append(values, v) })
			id, err := s.SpawnWith(0, scheduler.Options{Frames: true})
			require.NoError(t, err)
			s.Poll()
			require.NotNil(t, s.ScheduleNext())
			require.NoError(t, ch.ParkRecv(s.ArmOn(ch.Source()), 0))

			_, wake, err := ch.TrySend("mail")
			require.NoError(t, err)
			giveUp(s, id.ID())

			require.Equal(t, []string{"mail"}, values)
			require.EqualValues(t, 1, s.Inspect().Counts().Lost)
			require.False(t, s.Apply(wake).Accepted())
			s.Inspect().Verify()
		})
	}
}
