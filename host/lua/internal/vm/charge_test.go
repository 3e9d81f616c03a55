package vm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// paid is a Meter with a fixed time slice, and a count of the slices that have ended.
func paid(slice int64) (m *vm.Meter, ended *int64) {
	ended = new(int64)
	m = vm.New(vm.Best, 256, func() {
		*ended++
		m.Left = slice - 1
	})
	m.Left = slice
	return m, ended
}

// Whatever native code does, the slices that have ended and the part of the present one are what was
// paid for, and no call of Grant gets more than a slice.
func TestEveryStepOfNativeCodeIsPaidForOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slice := rapid.Int64Range(1, 100).Draw(t, "slice")
		m, ended := paid(slice)
		due := int64(0)
		for range rapid.IntRange(1, 50).Draw(t, "calls") {
			n := rapid.Int64Range(1, 300).Draw(t, "n")
			switch rapid.SampledFrom([]string{"step", "charge", "grant", "bytes"}).Draw(t, "call") {
			case "step":
				n = 1
				m.Step()
			case "charge":
				m.Charge(n)
			case "grant":
				got := m.Grant(n)
				require.LessOrEqual(t, got, min(n, slice))
				require.Positive(t, got)
				n = got
			case "bytes":
				want := int(n) * 100
				got := m.GrantBytes(want)
				require.LessOrEqual(t, got, want)
				require.LessOrEqual(t, vm.BytesOf(got), slice)
				n = vm.BytesOf(got)
			}
			due += n
			require.Equal(t, due, *ended*slice+slice-m.Left)
		}
	})
}
