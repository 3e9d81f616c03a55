package meter_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/wasm/meter"
	"github.com/selvage-dev/selvage/internal/asm"
)

// spent is the fuel that a call uses up.
func spent(t *testing.T, text, name string, args ...uint64) int64 {
	t.Helper()
	w := newWorld(t, math.MaxInt64)
	m := w.mustLoad(t, asm.Assemble(text))
	fuel := m.ExportedGlobal(meter.Fuel).(api.MutableGlobal)
	fuel.Set(1 << 40)
	w.call(t, m, name, args...)
	require.Zero(t, w.preempts)
	return 1<<40 - int64(fuel.Get())
}

func TestAFunctionCostsTheInstructionsThatStandInIt(t *testing.T) {
	require.EqualValues(t, 1, spent(t, "func f () export end", "f"))
	require.EqualValues(t, 4, spent(t, "func f (i32) (i32) export local.get 0 i32.const 1 i32.add end", "f", 1))
}

func TestBothArmsOfAnIfCount(t *testing.T) {
	const text = "func f (i32) export local.get 0 if nop else nop nop end end"
	require.EqualValues(t, 8, spent(t, text, "f", 0))
	require.EqualValues(t, 8, spent(t, text, "f", 1))
}

// The six instructions of the loop are paid for at each turn, those around it once.
func TestALoopIsPaidForAtEachTurn(t *testing.T) {
	const text = `func f (i32) export
		nop
		loop local.get 0 i32.const 1 i32.sub local.tee 0 br_if 0 end
		nop
	end`
	require.EqualValues(t, 3+7, spent(t, text, "f", 1))
	require.EqualValues(t, 3+7*100, spent(t, text, "f", 100))
}

func TestALoopInALoopIsPaidForByItself(t *testing.T) {
	const text = `func f (i32) export
		loop nop
			loop end
			local.get 0 i32.const 1 i32.sub local.tee 0 br_if 0
		end
	end`
	require.EqualValues(t, 1+10*(8+2), spent(t, text, "f", 10))
}

func TestACallIsPaidForByItsCaller(t *testing.T) {
	const text = `func leaf () nop end
	func f () export call leaf call leaf end`
	require.EqualValues(t, 3+2*2, spent(t, text, "f"))
}

func TestACostOfManyBytesIsWrittenInFull(t *testing.T) {
	text := "func f () export " + strings.Repeat("nop\n", 100_000) + "end"
	require.EqualValues(t, 100_001, spent(t, text, "f"))
}

// A program is stopped before it executes what it cannot pay for.
func TestPreemptIsCalledAsOftenAsTheSliceSays(t *testing.T) {
	const turns, perTurn = 1000, 7
	for _, slice := range []int64{1, perTurn, 2 * perTurn, 100, 1_000_000} {
		w := newWorld(t, slice)
		m := w.mustLoad(t, asm.Assemble(`func f (i32) export
			loop local.get 0 i32.const 1 i32.sub local.tee 0 br_if 0 end
		end`))
		w.call(t, m, "f", turns)
		// At the entry; then each slice pays for slice/perTurn turns, and the turn at
		// which it ends comes with the next slice.
		require.Equal(t, 1+int64(turns)/(slice/perTurn+1), int64(w.preempts), "slices of %d", slice)
	}
}
