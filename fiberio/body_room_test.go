package fiberio

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Random histories of bodies. The bodies never hold more than the limit together; a claim waits
// only if it must; and the oldest body that is arriving waits only for handlers, so that bodies
// never wait for each other in a circle.
func TestBodyRoomIsBoundedAndNeverStuck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.Int64Range(1, 20).Draw(t, "MaxBody")
		all := one + rapid.Int64Range(0, 40).Draw(t, "the rest")
		r := newBodyRoom(ServerConfig{MaxBody: one, MaxBodies: all})
		var bodies []*claim
		// with acts on one of the bodies for which which holds, if there is one.
		with := func(which func(*claim) bool, act func(*claim)) {
			if some := slices.DeleteFunc(slices.Clone(bodies), func(c *claim) bool { return !which(c) }); len(some) > 0 {
				act(some[rapid.IntRange(0, len(some)-1).Draw(t, "which")])
			}
		}
		arriving := func(c *claim) bool { return c.reads != nil && c.waits == nil }
		t.Repeat(map[string]func(*rapid.T){
			"begin": func(*rapid.T) { bodies = append(bodies, r.begin()) },
			"grow": func(t *rapid.T) {
				with(func(c *claim) bool { return arriving(c) && c.held < one }, func(c *claim) {
					c.ask(rapid.Int64Range(1, one-c.held).Draw(t, "bytes"))
				})
			},
			"arrived": func(*rapid.T) { with(arriving, (*claim).arrived) },
			"release": func(*rapid.T) {
				with(func(*claim) bool { return true }, func(c *claim) {
					c.release()
					c.release()
					bodies = slices.DeleteFunc(bodies, func(b *claim) bool { return b == c })
				})
			},
			"": func(t *rapid.T) {
				held, handled := int64(0), int64(0)
				for _, c := range bodies {
					held += c.held
					if c.reads == nil {
						handled += c.held
					}
				}
				require.Equal(t, r.used, held)
				require.LessOrEqual(t, held, all)
				if lead := r.reading.Front(); lead != nil {
					c := lead.Value.(*claim)
					require.False(t, c.waits != nil && handled == 0, "the lead waits for no handler")
					require.False(t, c.waits != nil && c.want <= all-r.used, "the lead waits for nothing")
				}
				if first := r.waiting.Front(); first != nil {
					require.Greater(t, first.Value.(*claim).want, r.share-r.used, "a claim waits for nothing")
				}
			},
		})
	})
}

func TestBodyRoomWithoutALimit(t *testing.T) {
	r := newBodyRoom(ServerConfig{MaxBody: math.MaxInt64, MaxBodies: math.MaxInt64})
	lead, other := r.begin(), r.begin()
	assert.Nil(t, lead.ask(1<<40))
	assert.Nil(t, other.ask(1<<40))
}

func TestAWaitForBodyRoomEnds(t *testing.T) {
	r := newBodyRoom(ServerConfig{MaxBody: 10, MaxBodies: 10})
	lead, other := r.begin(), r.begin()
	require.NoError(t, lead.grow(t.Context(), 10, time.Time{}))
	assert.ErrorIs(t, other.grow(t.Context(), 1, time.Unix(1, 0)), errNoRoom)
	other.release()

	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	other = r.begin()
	assert.ErrorIs(t, other.grow(ctx, 1, time.Time{}), gone)
	other.release()
	assert.Equal(t, int64(10), r.used)

	next := r.begin()
	granted := next.ask(10)
	lead.release()
	<-granted
	next.release()
	assert.Zero(t, r.used)
}
