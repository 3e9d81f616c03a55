package proptest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// mortals is a walk to the end of every slot. To the model one free slot is as good as
// another, as long as slots have no end; then which of them lives how often decides when
// there is no more room. So the walk takes the slot that the scheduler does: the one that
// was given back last, or else a new one.
type mortals struct {
	*Lockstep
	pools [2]slots
	done  []spec.Action
}

func (m *mortals) pool(x spec.Slot) *slots {
	if x.IsTrampoline() {
		return &m.pools[1]
	}
	return &m.pools[0]
}

func begins(k spec.Kind) bool { return k == spec.Spawn || k == spec.MoveIn || k == spec.Acquire }

// possible is what the model enables and the scheduler would do in that slot.
func (m *mortals) possible(dst []spec.Action) []spec.Action {
	return slices.DeleteFunc(m.Model.Enabled(dst, &m.State), func(a spec.Action) bool {
		return begins(a.Kind) && a.Slot().Index() != int(m.pool(a.Slot()).next())
	})
}

// take takes a step and notes which slots are free then.
func (m *mortals) take(a spec.Action) error {
	from := m.State
	m.done = append(m.done, a)
	if err := m.Step(a); err != nil {
		return err
	}
	if begins(a.Kind) {
		m.pool(a.Slot()).take()
	}
	for _, x := range deaths(m.bounds, &from, &m.State) {
		if !m.bounds.Retired(&m.State, x) {
			m.pool(x).free = append(m.pool(x).free, uint32(x.Index()))
		}
	}
	return nil
}

func TestWalksToTheEndOfEverySlotStayInStep(t *testing.T) {
	for _, c := range []spec.Config{
		{Fibers: 1, Trampolines: 2, Tokens: 1, Tickets: 1, Lives: 3},
		{Fibers: 3, Trampolines: 3, Tokens: 1, Tickets: 2, Lives: 4, Deadlines: 1},
		{Fibers: 3, Trampolines: 2, Tokens: 0, Tickets: 1, Lives: 5, Pins: 2, Moves: true, Lends: true, Holds: true},
	} {
		t.Run(name(c), func(t *testing.T) {
			t.Parallel()
			steps, ends, calls := 0, 0, 0
			for seed := range uint64(100) {
				m := &mortals{Lockstep: NewLockstep(c, Host{Lazy: seed%2 > 0})}
				over, err := m.wander(seed)
				if err != nil {
					t.Fatalf("seed %d: %v: %v", seed, m.done, err)
				}
				steps += len(m.done)
				if over {
					ends++
				}
				if m.bounds.Retired(&m.State, spec.Trampoline(1)) {
					calls++
				}
			}
			t.Logf("%d steps, %d times to the end, %d times to that of the second call's slot", steps, ends, calls)
			if ends < 50 || calls < 10 {
				t.Error("too few walks come to the end")
			}
		})
	}
}

// wander goes on until no fiber can live any more, or for long.
func (m *mortals) wander(seed uint64) (over bool, err error) {
	rng := rand.New(rand.NewPCG(seed, 5))
	var all []spec.Action
	for range walkLength {
		if m.extinct() {
			return true, m.isFull()
		}
		all = m.possible(all[:0])
		a, ok := Choose(all, rng.Uint32())
		if !ok {
			return false, fmt.Errorf("nothing is possible in %s", m.Model.Key(&m.State))
		}
		if err := m.take(a); err != nil {
			return false, err
		}
	}
	return false, nil
}

// extinct: every fiber's slot is retired.
func (m *mortals) extinct() bool {
	for f := range m.bounds.Fibers {
		if x := spec.Regular(f); m.State.Contexts[x].Status != spec.Dead || !m.bounds.Retired(&m.State, x) {
			return false
		}
	}
	return true
}

func (m *mortals) isFull() error {
	if _, err := m.Scheduler.Spawn(0); !errors.Is(err, scheduler.ErrTooManyFibers) {
		return fmt.Errorf("a fiber after the last one: %w", err)
	}
	return nil
}
