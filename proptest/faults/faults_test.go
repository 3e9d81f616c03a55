package faults

import (
	"testing"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func enough() int { return long.Cases(10_000, 10_000) }

// least is the fault that was injected least often.
func (d *Device) least() int {
	n := d.Injected[0]
	for _, m := range d.Injected {
		n = min(n, m)
	}
	return n
}

func TestWhateverADeviceDoesEveryWaitGetsItsOwnCompletionOrNone(t *testing.T) {
	injected := 0
	for seed := uint64(1); injected < enough(); seed++ {
		w := NewWorld(seed, 200, Even(0.05))
		for range 400 {
			w.Turn()
		}
		require.NoError(t, w.Err, "seed %d", seed)

		open := w.Calm()
		assert.NotEmpty(t, open)
		for range Settle {
			w.Turn()
		}
		for _, tok := range open {
			assert.True(t, w.Ended(tok), "token %d is waited for %d turns after the last fault", tok, Settle)
		}

		w.Shutdown()
		require.NoError(t, w.Err, "seed %d", seed)
		injected += w.Device.least()
	}
}

func TestEachFaultAloneIsHarmless(t *testing.T) {
	for k := range Kind(NumKinds) {
		t.Run(k.String(), func(t *testing.T) {
			var only Profile
			only[k] = 0.3
			w := NewWorld(7, 100, only)
			for range 100 {
				w.Turn()
			}
			w.Shutdown()
			require.NoError(t, w.Err)
			assert.Greater(t, w.Device.Injected[k], 100)
		})
	}
}

// A hundred thousand completions at once, of which one is waited for.
func TestAStormIsOverInOneTurn(t *testing.T) {
	w := NewWorld(3, 100, Profile{})
	for range 10 {
		w.Turn()
	}
	waits := w.Calm()[0]
	for i := range 100_000 {
		if i == 77_777 {
			w.post(arrival{waits, ioqueue.Completion{N: -1}})
		}
		w.post(arrival{w.strange(w.rnd), ioqueue.Completion{}})
	}
	w.Turn()
	assert.True(t, w.Ended(waits))
	w.Shutdown()
	require.NoError(t, w.Err)
}

// A device that gives one fiber what is another's cannot be seen through by any scheduler:
// the fibers get what was not theirs, and this test must see it, or it would see nothing.
func TestADeviceThatLiesIsFoundOut(t *testing.T) {
	for name, lie := range map[string]func(arrival) arrival{
		"another value": func(a arrival) arrival { a.done.N++; return a },
		"another error": func(a arrival) arrival { a.done.Err = assert.AnError; return a },
		"another token": func(a arrival) arrival { a.tok++; return a },
		"no token":      func(a arrival) arrival { a.tok = 0; return a },
	} {
		t.Run(name, func(t *testing.T) {
			w := NewWorld(5, 50, Profile{})
			w.Device.breaks = lie
			for range 50 {
				w.Turn()
			}
			assert.Error(t, w.Err)
		})
	}
}
