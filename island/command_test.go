package island_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/stretchr/testify/require"
)

// farm is an island with two programs: "sleeper" blocks, "bad" fails.
func farm(t *testing.T, r *island.Registry, started chan<- fiber.Ticket) *islandtest.Running {
	var b *islandtest.Running
	ready := make(chan struct{})
	b = islandtest.Start(t, r, "farm", island.Config{Mailbox: 4, Programs: map[string]func([]byte) (fiber.RegularID, error){
		"sleeper": func(args []byte) (fiber.RegularID, error) {
			<-ready
			task, err := b.Runtime.Go(string(args), func(f *stackful.Fiber) (any, error) {
				_, _, err := f.Await(fiber.OnQueue().FromOutside(), func(t fiber.Ticket) error { started <- t; return nil })
				return nil, err
			})
			if err != nil {
				return 0, err
			}
			id, _ := task.ID().Regular()
			return id, nil
		},
		"bad": func([]byte) (fiber.RegularID, error) { return 0, errors.New("no field is free") },
	}})
	close(ready)
	return b
}

func TestACommandIsCarriedOutOnceAndAnswered(t *testing.T) {
	r := new(island.Registry)
	started := make(chan fiber.Ticket, 2)
	b, asker := farm(t, r, started), islandtest.Start(t, r, "asker", island.Config{})
	at := b.Address()
	require.NoError(t, <-asker.Go("ask", func(f *stackful.Fiber) error {
		ask := func(c island.Command) (fiber.ID, error) { return islandtest.Request(f, asker.Island, c) }
		id, err := ask(island.Spawn(at, "sleeper", []byte("first")))
		require.NoError(t, err)
		ticket := <-started
		require.Equal(t, id, ticket.ID)

		woken, err := ask(island.Wake(at, ticket, fiber.Result{Code: fiber.OK}))
		require.NoError(t, err)
		require.Equal(t, id, woken)
		_, err = ask(island.Wake(at, ticket, fiber.Result{Code: fiber.OK}))
		require.ErrorIs(t, err, island.ErrStale, "double wake")

		id, err = ask(island.Spawn(at, "sleeper", []byte("second")))
		require.NoError(t, err)
		<-started
		_, err = ask(island.Cancel(at, id, "enough"))
		require.NoError(t, err)
		return nil
	}))
}

func TestARefusedCommandIsAnswered(t *testing.T) {
	r := new(island.Registry)
	started := make(chan fiber.Ticket, 1)
	b, asker := farm(t, r, started), islandtest.Start(t, r, "asker", island.Config{})
	at := b.Address()
	_, err := b.Do(t.Context(), island.Spawn(at, "sleeper", nil))
	require.NoError(t, err)
	ticket := <-started
	forged := ticket
	forged.Seq++
	later := at
	later.Incarnation++
	for name, c := range map[string]struct {
		cmd  island.Command
		want error
	}{
		"a program it does not have":     {island.Spawn(at, "unknown", nil), island.ErrProgram},
		"a program that fails":           {island.Spawn(at, "bad", nil), nil},
		"a ticket that was never given":  {island.Wake(at, forged, fiber.Result{Code: fiber.OK}), island.ErrStale},
		"a fiber that never was":         {island.Cancel(at, fiber.NewRegularID(77, 1).ID(), ""), island.ErrStale},
		"an earlier or later life of it": {island.Wake(later, ticket, fiber.Result{Code: fiber.OK}), island.ErrUnknown},
		"no kind of command":             {island.InvalidCommand(at), island.ErrRequest},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, <-asker.Go("ask", func(f *stackful.Fiber) error {
				_, err := islandtest.Request(f, asker.Island, c.cmd)
				require.Error(t, err)
				if c.want != nil {
					require.ErrorIs(t, err, c.want)
				}
				return nil
			}))
		})
	}
}

func TestAFullMailboxRefusesAndLosesNothing(t *testing.T) {
	r := new(island.Registry)
	b := farm(t, r, nil)
	running, goOn := make(chan struct{}), make(chan struct{})
	b.Go("busy", func(*stackful.Fiber) error { close(running); <-goOn; return nil })
	<-running
	accepted := 0
	for range 100 {
		switch err := b.Post(island.Spawn(b.Address(), "bad", nil)); {
		case err == nil:
			accepted++
		default:
			require.ErrorIs(t, err, island.ErrFull)
			require.ErrorContains(t, err, "farm")
		}
	}
	require.Equal(t, 4, accepted, "Config.Mailbox")
	close(goOn)
	b.Own(func() {})
	b.Own(func() {}) // the first made it poll
	_, err := b.Do(t.Context(), island.Spawn(b.Address(), "bad", nil))
	require.ErrorContains(t, err, "no field is free")
	b.Own(func() { _, refused := b.Counts(); require.EqualValues(t, 5, refused) })
}

func TestARequestFailsIfTheIslandLeaves(t *testing.T) {
	r := new(island.Registry)
	b, asker := farm(t, r, nil), islandtest.Start(t, r, "asker", island.Config{})
	running, goOn := make(chan struct{}), make(chan struct{})
	b.Go("busy", func(*stackful.Fiber) error { close(running); <-goOn; return nil })
	<-running
	asked := make(chan struct{})
	answer := asker.Go("ask", func(f *stackful.Fiber) error {
		done, err := f.Operate(func(tok fiber.Token) error {
			defer close(asked)
			return asker.Request(tok, island.Spawn(b.Address(), "bad", nil))
		})
		return errors.Join(err, done.Err)
	})
	<-asked
	require.NoError(t, b.Post(island.Shutdown(b.Address(), "winter")))
	close(goOn)
	<-b.Done
	require.Error(t, <-answer)
	require.NoError(t, <-asker.Go("ask again", func(f *stackful.Fiber) error {
		_, err := islandtest.Request(f, asker.Island, island.Spawn(b.Address(), "bad", nil))
		require.ErrorIs(t, err, island.ErrUnknown)
		return nil
	}))
	require.ErrorContains(t, b.Err, "winter")
}

// A million wakes that are not valid: forged, stale, of other
// lives and other islands.
func TestNoForgedOrStaleWakeIsAccepted(t *testing.T) {
	const forgeries = 1_000_000
	r := new(island.Registry)
	h := islandtest.Join(t, r, "h")
	p, err := island.Open[int](h.Island, "p", 1)
	require.NoError(t, err)
	current := h.BlockOn(p)
	rng, before := rand.New(rand.NewPCG(1, 2)), h.Inspect().Transitions()
	for n := range forgeries {
		to, ticket := h.Address(), current
		forge(rng, &to, &ticket)
		err := h.Post(island.Wake(to, ticket, fiber.Result{Code: fiber.OK}))
		if to == h.Address() {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, island.ErrUnknown)
		}
		if n%1000 == 999 {
			h.Poll()
		}
	}
	h.Poll()
	require.Equal(t, before, h.Inspect().Transitions())
	executed, _ := h.Island.Counts()
	require.Zero(t, executed)
	require.True(t, p.Source().Holds(current))
}

// forge changes at least one thing about the ticket.
func forge(rng *rand.Rand, to *island.Address, ticket *fiber.Ticket) {
	switch rng.IntN(5) {
	case 0:
		ticket.Seq ^= 1 << rng.IntN(64)
	case 1:
		ticket.ID ^= 1 << rng.IntN(64)
	case 2:
		to.Incarnation ^= 1 << rng.IntN(32)
	case 3:
		to.Island ^= 1 << rng.IntN(16)
	case 4:
		*ticket = fiber.Ticket{ID: fiber.ID(rng.Uint64()), Seq: rng.Uint64()}
	}
}

func TestNamesAndNumbersAreUniqueInARegistry(t *testing.T) {
	r := new(island.Registry)
	a := islandtest.Join(t, r, "a")
	join := func(name string, number uint16) error {
		_, err := r.Join(&scheduler.New[int](scheduler.Config{Number: number}).Core, island.Config{Name: name})
		return err
	}
	require.ErrorIs(t, join("a", r.Number()), island.ErrTaken)
	require.ErrorIs(t, join("b", a.Inspect().Number()), island.ErrTaken)
	found, err := r.Find("a")
	require.NoError(t, err)
	require.Same(t, a.Island, found)
	first := a.Address()
	a.Leave(context.Canceled)
	require.NoError(t, join("a", a.Inspect().Number()), "both are free again")
	_, err = r.At(first)
	require.ErrorIs(t, err, island.ErrUnknown, "the second life is not the first")
	r.Seal()
	require.ErrorIs(t, join("c", r.Number()), island.ErrSealed)
}
