//go:build invariants

package invariants

import (
	"testing"

	"github.com/stretchr/testify/require"
)

type owned struct{ Owner }

// elsewhere calls f on another goroutine.
func elsewhere(f func() bool) bool {
	answer := make(chan bool)
	go func() { answer <- f() }()
	return <-answer
}

func TestOneGoroutineIsTheOwnerUntilItLeaves(t *testing.T) {
	var o owned
	require.False(t, Foreign(&o))
	require.True(t, Take(&o))
	require.True(t, Take(&o))
	require.False(t, Foreign(&o))
	require.True(t, elsewhere(func() bool { return Foreign(&o) && !Take(&o) }))
	Leave(&o)
	require.True(t, elsewhere(func() bool { return Take(&o) }))
}

func TestAStackThatRunsIsTheOwner(t *testing.T) {
	var o owned
	require.True(t, Take(&o))
	require.False(t, Followed(&o))
	stack := Follow(&o)
	require.True(t, Followed(&o))
	var resumer, suspended uintptr
	require.True(t, elsewhere(func() bool {
		resumer = stack.Switch(0)
		stack.Enter()
		return !Foreign(&o)
	}))
	require.True(t, Foreign(&o))
	suspended = stack.Switch(resumer)
	require.False(t, Foreign(&o))
	require.NotEqual(t, resumer, suspended)
	require.Zero(t, Thread{}.Switch(resumer))
	Thread{}.Enter() // of no scheduler
}
