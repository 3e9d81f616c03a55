package scheduler

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAContextStaysWithAFiberThatMoves(t *testing.T) {
	home, remote := two(t)
	id := home.spawnRunning(Options{Movable: true})
	first := home.Unwind().Context()
	home.YieldCurrent()
	there := home.movesTo(remote, id)
	require.NoError(t, first.Err())
	remote.mount(there)
	require.Equal(t, first, remote.Unwind().Context(), "neither scheduler has a run, which are the same then")
	remote.KillCurrent()
	endedWith(t, first, errFiberEnded)
}

func TestAFiberThatMovesHasAContextOfEachRunItAskedIn(t *testing.T) {
	home, remote := two(t)
	run, other := home.Steps().Begin(t.Context()), remote.Steps().Begin(t.Context())
	id := home.spawnRunning(Options{Movable: true})
	first := home.Unwind().Context()
	home.YieldCurrent()
	there := home.movesTo(remote, id)
	remote.mount(there)
	second := remote.Unwind().Context()
	require.NotEqual(t, first, second)
	require.NoError(t, first.Err())
	remote.YieldCurrent()
	home.mount(remote.movesTo(home, there))
	require.Equal(t, first, home.Unwind().Context())
	other.Close()
	require.NoError(t, first.Err())
	endedWith(t, second, errRunEnded)
	home.Cancel(home.Current(), errWhy)
	endedWith(t, first, ErrCancelled, errWhy)
	home.KillCurrent()
	run.Close()
}

func TestAFiberThatIsCancelledElsewhereEndsAllItsContexts(t *testing.T) {
	home, remote := two(t)
	run, other := home.Steps().Begin(t.Context()), remote.Steps().Begin(t.Context())
	defer run.Close()
	defer other.Close()
	id := home.spawnRunning(Options{Movable: true})
	first := home.Unwind().Context()
	home.YieldCurrent()
	there := home.movesTo(remote, id)
	remote.mount(there)
	second := remote.Unwind().Context()
	remote.Kill(there.ID(), errWhy)
	endedWith(t, first, ErrKilled, errWhy)
	endedWith(t, second, ErrKilled, errWhy)
	remote.KillCurrent()
}

func TestAFiberThatIsAbandonedBetweenSchedulersEndsItsContext(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{Movable: true})
	ctx := g.Unwind().Context()
	g.YieldCurrent()
	m, err := g.Moves().MoveOut(id)
	require.NoError(t, err)
	require.NoError(t, ctx.Err())
	m.Abandon(errWhy)
	endedWith(t, ctx, ErrKilled, errWhy)
}
