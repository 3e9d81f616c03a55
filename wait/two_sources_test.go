package wait_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// owned is an object that assigns itself to the fiber that waits longest when its owner dies.
type owned struct {
	source fiber.Source
	hook   fiber.OwnerHook
	take   func(fiber.ID) (bool, error)
	park   func(fiber.Ticket, fiber.ID) error
	has    func(fiber.ID) bool
}

// ownedKinds are the objects that a fiber can own, each with the kind of wait that is for one fiber
// at a time.
var ownedKinds = map[string]func() owned{
	"mutex": func() owned {
		m := wait.NewMutex(wait.HandOver)
		return owned{m.Source(), m.OwnerHook(), m.TryLock, m.ParkLock, func(id fiber.ID) bool { return m.Owner() == id }}
	},
	"rwmutex": func() owned {
		m := wait.NewRWMutex(wait.HandOver)
		return owned{m.Source(), m.OwnerHook(), m.TryLock, m.ParkLock, func(id fiber.ID) bool { return m.Writer() == id }}
	},
	"semaphore": func() owned {
		s := wait.NewSemaphore(1)
		take := func(id fiber.ID) (bool, error) { return s.TryAcquire(id, 1) }
		park := func(t fiber.Ticket, id fiber.ID) error { return s.ParkAcquire(t, id, 1) }
		return owned{s.Source(), s.OwnerHook(), take, park, func(id fiber.ID) bool { return s.Held(id) == 1 }}
	},
	"once": func() owned {
		o := wait.NewOnce(wait.HandOver)
		take := func(id fiber.ID) (bool, error) { run, _, err := o.TryRun(id); return run, err }
		return owned{o.Source(), o.OwnerHook(), take, o.ParkRun, func(id fiber.ID) bool { return o.Runner() == id }}
	},
}

// newWaiterOnAll blocks a fiber in one wait on several sources.
func newWaiterOnAll(t *testing.T, s *scheduler.Scheduler[int], sources []fiber.Source, park ...func(fiber.Ticket, fiber.ID) error) waiter {
	t.Helper()
	id, err := s.SpawnWith(0, scheduler.Options{})
	require.NoError(t, err)
	s.Poll()
	require.NotNil(t, s.ScheduleNext())
	w := waiter{id: id.ID(), ticket: s.Arm(fiber.OnQueue(), sources...)}
	for _, p := range park {
		require.NoError(t, p(w.ticket, w.id))
	}
	s.Block()
	return w
}

// A fiber waits for either of two objects. The fiber that owns both dies, and both are assigned to
// the waiter in one operation. It gets one of them, and the other goes to the fiber behind it.
func TestAFiberThatTwoObjectsOfOneDeadOwnerChooseGetsOneAndTheOtherGoesOn(t *testing.T) {
	for firstKind, makeFirst := range ownedKinds {
		for secondKind, makeSecond := range ownedKinds {
			t.Run(firstKind+" and "+secondKind, func(t *testing.T) {
				s := scheduler.New[int](scheduler.Config{})
				objects := []owned{makeFirst(), makeSecond()}
				owner := newWaiter(t, s, scheduler.Options{}, nil, func(_ fiber.Ticket, id fiber.ID) error {
					for _, o := range objects {
						ok, err := o.take(id)
						require.NoError(t, err)
						require.True(t, ok)
						s.Attachments().Own(o.hook)
					}
					return nil
				})
				either := newWaiterOnAll(t, s, []fiber.Source{objects[0].source, objects[1].source}, objects[0].park, objects[1].park)
				var behind []waiter
				for _, o := range objects {
					behind = append(behind, newWaiterOnAll(t, s, []fiber.Source{o.source}, o.park))
				}

				require.NoError(t, s.Kill(owner.id, nil))

				// The hooks of a dead fiber are called latest first.
				require.True(t, objects[1].has(either.id))
				require.True(t, objects[0].has(behind[0].id), "the first object is lost")
				require.Equal(t, fiber.Runnable, s.Inspect().State(either.id))
				require.Equal(t, fiber.Runnable, s.Inspect().State(behind[0].id))
				require.Equal(t, fiber.Blocked, s.Inspect().State(behind[1].id))
				require.EqualValues(t, 1, s.Inspect().Counts().Lost)
				require.Zero(t, s.Inspect().Counts().RefusedWakes)
				s.Inspect().Verify()
			})
		}
	}
}

// The end of one wait can let a fiber continue at two sources of it at once.
func TestAFiberThatOneWithdrawalLetsContinueAtTwoSourcesGetsOneAndTheOtherGoesOn(t *testing.T) {
	s := scheduler.New[int](scheduler.Config{})
	locks := []*wait.RWMutex{wait.NewRWMutex(wait.HandOver), wait.NewRWMutex(wait.HandOver)}
	both := []fiber.Source{locks[0].Source(), locks[1].Source()}
	reader := newWaiter(t, s, scheduler.Options{}, nil, func(_ fiber.Ticket, id fiber.ID) error {
		for _, m := range locks {
			ok, err := m.TryRLock(id)
			require.NoError(t, err)
			require.True(t, ok)
		}
		return nil
	})
	writer := newWaiterOnAll(t, s, both, locks[0].ParkLock, locks[1].ParkLock)
	behind := newWaiterOnAll(t, s, both, locks[0].ParkRLock, locks[1].ParkRLock)

	require.NoError(t, s.Cancel(writer.id, nil))

	require.Equal(t, fiber.Runnable, s.Inspect().State(behind.id))
	require.Equal(t, 2, locks[0].Readers())
	require.Equal(t, 1, locks[1].Readers(), "the second lock is lost")
	require.EqualValues(t, 1, s.Inspect().Counts().Lost)
	require.Zero(t, s.Inspect().Counts().RefusedWakes)
	s.Inspect().Verify()
	_, err := locks[1].RUnlock(reader.id, nil)
	require.NoError(t, err)
	require.Zero(t, locks[1].Readers())
}

// An object has decided on two fibers. The first wake-up withdraws its fiber from another object,
// which chooses the second fiber. So the second wake-up of the first object is refused.
func TestWhatARefusedWakeUpOfTheHostAssignedGoesBackToItsObject(t *testing.T) {
	s := scheduler.New[int](scheduler.Config{})
	permits, lock := wait.NewSemaphore(2), wait.NewRWMutex(wait.HandOver)
	both := []fiber.Source{permits.Source(), lock.Source()}
	acquire := func(t fiber.Ticket, id fiber.ID) error { return permits.ParkAcquire(t, id, 1) }
	owner := newWaiter(t, s, scheduler.Options{}, nil, func(_ fiber.Ticket, id fiber.ID) error {
		ok, err := permits.TryAcquire(id, 2)
		require.True(t, ok)
		require.NoError(t, err)
		ok, err = lock.TryRLock(id)
		require.True(t, ok)
		return err
	})
	writer := newWaiterOnAll(t, s, both, acquire, lock.ParkLock)
	reader := newWaiterOnAll(t, s, both, acquire, lock.ParkRLock)

	wakes, err := permits.Release(owner.id, 2, nil)
	require.NoError(t, err)
	require.Len(t, wakes, 2)
	require.Equal(t, fiber.Woken, s.Apply(wakes[0]))
	require.Equal(t, fiber.Stale, s.Apply(wakes[1]))

	require.EqualValues(t, 1, permits.Held(writer.id))
	require.Zero(t, permits.Held(reader.id))
	require.EqualValues(t, 1, permits.Free())
	require.Equal(t, 2, lock.Readers())
	require.Equal(t, fiber.Stale, s.Apply(wakes[0]), "the same wake-up again")
	require.EqualValues(t, 1, permits.Held(writer.id))
	s.Inspect().Verify()
}
