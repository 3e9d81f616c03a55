package scheduler

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACancellationThatIsMaskedEndsTheContextAtTheLastUnmask(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	ctx := g.Unwind().Context()
	g.Unwind().Mask()
	g.Unwind().Mask()
	g.Cancel(id.ID(), errWhy)
	require.NoError(t, ctx.Err())
	g.Unwind().Unmask()
	require.NoError(t, ctx.Err())
	g.Unwind().Unmask()
	endedWith(t, ctx, ErrCancelled, errWhy)
}

func TestAKillIsNotMasked(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{Frames: true})
	ctx := g.Unwind().Context()
	g.Unwind().Mask()
	g.Kill(id.ID(), errWhy)
	endedWith(t, ctx, ErrKilled, errWhy)
}

func TestAFiberThatMasksAnEarlierCancellationGetsAContextThatHasNotEnded(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	before := g.Unwind().Context()
	g.Cancel(id.ID(), errWhy)
	g.Unwind().Mask()
	masked := g.Unwind().Context()
	endedWith(t, before, errWhy)
	require.NoError(t, masked.Err())
	g.Unwind().Unmask()
	endedWith(t, masked, errWhy)
}

// contextModel says which contexts of one fiber have ended.
type contextModel struct {
	masks                    int
	cancelled, taken, killed bool
	current                  context.Context // what the last request gave
	all                      map[context.Context]bool
}

func (m *contextModel) interrupted() bool {
	return m.killed || m.taken || m.cancelled && m.masks == 0
}

// contextSteps are what a fiber does, or what is done to it, here and in the model.
var contextSteps = [...]func(*testing.T, *testScheduler, *contextModel){
	func(t *testing.T, g *testScheduler, m *contextModel) {
		ctx := g.Unwind().Context()
		fresh := m.current == nil || m.all[m.current] && !m.interrupted()
		require.Equal(t, fresh, ctx != m.current)
		if m.current = ctx; fresh {
			m.all[ctx] = false
		}
	},
	func(_ *testing.T, g *testScheduler, m *contextModel) {
		g.Unwind().Mask()
		m.masks++
	},
	func(_ *testing.T, g *testScheduler, m *contextModel) {
		if m.masks > 0 {
			g.Unwind().Unmask()
			m.masks--
		}
	},
	func(_ *testing.T, g *testScheduler, m *contextModel) {
		g.Cancel(g.Current(), errWhy)
		m.cancelled = m.cancelled || !m.killed
	},
	func(_ *testing.T, g *testScheduler, m *contextModel) {
		g.Kill(g.Current(), errWhy)
		m.killed = true
	},
	func(_ *testing.T, g *testScheduler, m *contextModel) {
		g.TakeInterrupt()
		m.taken = m.taken || m.cancelled && m.masks == 0 && !m.killed
	},
}

// Every sequence of five steps.
func TestContextsEndAsTheModelSays(t *testing.T) {
	total := 1
	for range 5 {
		total *= len(contextSteps)
	}
	for code := range total {
		g := newTestScheduler(t, Config{})
		g.spawnRunning(Options{Frames: true})
		m := &contextModel{all: map[context.Context]bool{}}
		for rest, n := code, 0; n < 5; rest, n = rest/len(contextSteps), n+1 {
			contextSteps[rest%len(contextSteps)](t, g, m)
			for ctx, ended := range m.all {
				m.all[ctx] = ended || m.interrupted()
				require.Equal(t, m.all[ctx], ctx.Err() != nil, "sequence %d, step %d", code, n)
			}
		}
	}
}
