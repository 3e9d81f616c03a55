package minigo_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
)

// TestARateLimitsTheStepsOfASecond compares the time that a program takes with its steps: those of the last
// slice are not waited for. The rate changes nothing else.
func TestARateLimitsTheStepsOfASecond(t *testing.T) {
	const rate, slice = 1000, 7
	for _, body := range []string{
		"for i := 0; i < 10_000; i++ {}",
		"for range 3 { go func() { for range 3000 { runtime.Gosched() } }() }; for range 4000 { runtime.Gosched() }",
		`s := ""; for range 500 { s += "0123456789" }; println(len(s))`,
	} {
		for _, way := range ways() {
			way.Scheduler.Budget = slice
			way.Pausable = true
			var plain, paced bytes.Buffer
			program := compiled(t, "rate.go", string(programOf("", body)))
			way.Access.Stderr = &plain
			h, err := minigo.New(program, way)
			require.NoError(t, err)
			require.NoError(t, h.Run(t.Context()))
			steps := h.Spent().Steps
			require.Zero(t, h.Scheduler().Now())

			way.Access.Stderr = &paced
			h, err = minigo.New(program, way)
			require.NoError(t, err)
			h.Group().SetRate(rate)
			require.NoError(t, h.Run(t.Context()))
			require.Equal(t, steps, h.Spent().Steps)
			require.Equal(t, plain.String(), paced.String())
			took := time.Duration(h.Scheduler().Now())
			require.LessOrEqual(t, took, time.Duration(steps)*time.Second/rate)
			require.GreaterOrEqual(t, took, time.Duration(steps-4*slice-64)*time.Second/rate, body)
		}
	}
}

// A Group is given to the owner until a Run without one has begun.
func TestARunThatIsNotPausableHasNoGroup(t *testing.T) {
	h, err := minigo.New(compiled(t, "rate.go", string(programOf("", ""))), minigo.Config{})
	require.NoError(t, err)
	require.NoError(t, h.Run(t.Context()))
	require.Nil(t, h.Group())
}
