package lazycontext

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var errWhy, errLater = errors.New("why"), errors.New("later")

type key struct{}

func TestAChildHasWhatItsParentHas(t *testing.T) {
	at := time.Now().Add(time.Hour)
	parent, cancel := context.WithDeadline(context.WithValue(t.Context(), key{}, 7), at)
	defer cancel()
	c := &Child{Parent: parent}
	deadline, ok := c.Deadline()
	require.True(t, ok && deadline.Equal(at))
	require.Equal(t, 7, c.Value(key{}))
	require.False(t, c.InUse(), "neither is a use")
	require.NoError(t, c.Err())
	require.True(t, c.InUse())
}

func TestAChildEndsWithItsParent(t *testing.T) {
	for _, used := range []bool{true, false} {
		parent, cancel := context.WithCancelCause(t.Context())
		c := &Child{Parent: parent}
		if used {
			require.NoError(t, c.Err())
		}
		cancel(errWhy)
		require.Equal(t, errWhy, context.Cause(c))
		require.False(t, c.End(errLater))
		require.Equal(t, errWhy, context.Cause(c))
	}
}

func TestTheCauseIsFoundInAContextThatNothingHasUsed(t *testing.T) {
	c := &Child{Parent: context.Background()}
	require.NoError(t, context.Cause(c))
	c = &Child{Parent: context.Background()}
	require.True(t, c.End(errWhy))
	require.Equal(t, errWhy, context.Cause(c))
	require.Equal(t, errWhy, c.Ended())
	require.Equal(t, context.Canceled, c.Err())
}

func TestTheFirstEndCounts(t *testing.T) {
	c := &Child{Parent: context.Background()}
	require.NoError(t, c.Ended())
	require.True(t, c.End(errWhy))
	require.False(t, c.End(errLater))
	require.True(t, c.Finish(Past(errLater)))
	require.Equal(t, errWhy, context.Cause(c))
}

func TestFinishGivesTheCauseOfThePast(t *testing.T) {
	past := Past(errWhy)
	for _, used := range []bool{true, false} {
		c := &Child{Parent: context.Background()}
		if used {
			require.NoError(t, c.Err())
		}
		require.False(t, c.Finish(past))
		require.Equal(t, errWhy, context.Cause(c))
		require.True(t, c.Finish(past))
	}
	require.Equal(t, context.Canceled, Past(nil).Err())
}

func TestFinishAllocatesNothing(t *testing.T) {
	past, unused := Past(errWhy), make([]Lazy, 101)
	i := 0
	require.Zero(t, testing.AllocsPerRun(100, func() { unused[i].Finish(past); i++ }))
}

func TestContextsDeriveFromAChild(t *testing.T) {
	c := &Child{Parent: &Child{Parent: t.Context()}}
	derived, cancel := context.WithTimeout(c, time.Hour)
	defer cancel()
	c.End(errWhy)
	<-derived.Done()
	require.Equal(t, errWhy, context.Cause(derived))
}

func TestAnyNumberOfGoroutinesUseAndEndAContext(t *testing.T) {
	for range 200 {
		c := &Child{Parent: &Child{Parent: t.Context()}}
		var all sync.WaitGroup
		firsts := make(chan bool, 8)
		for n := range 8 {
			all.Go(func() {
				if n%2 == 0 {
					firsts <- c.End(errWhy)
				}
				<-c.Done()
				require.Equal(t, errWhy, context.Cause(c))
			})
		}
		all.Wait()
		close(firsts)
		count := 0
		for first := range firsts {
			if first {
				count++
			}
		}
		require.Positive(t, count)
	}
}
