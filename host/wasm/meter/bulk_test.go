package meter_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/wasm/meter"
	"github.com/selvage-dev/selvage/internal/asm"
)

// pages is how large the memory of the guest is; part is what is treated at once.
const (
	pages = 3
	part  = 1 << 14
)

// bulk is a module with an instruction for each function.
const bulk = `memory 3 40
	table 10 2000
	func fill (i32 i32 i32) export local.get 0 local.get 1 local.get 2 memory.fill end
	func copy (i32 i32 i32) export local.get 0 local.get 1 local.get 2 memory.copy end
	func grow (i32) (i32) export local.get 0 memory.grow end
	func tfill (i32 i32) export local.get 0 ref.null local.get 1 table.fill end
	func tcopy (i32 i32 i32) export local.get 0 local.get 1 local.get 2 table.copy end
	func tgrow (i32) (i32) export ref.null local.get 0 table.grow end`

// A fill costs a unit for 256 bytes, and so does the work of the other instructions.
func TestBulkInstructionsArePaidForByTheirLength(t *testing.T) {
	for name, c := range map[string]struct {
		base int64 // the instructions of the function
		args []uint64
		cost int64
	}{
		"fill":  {5, []uint64{7, 1, 3 * 65536 / 2}, 3 * 65536 / 2 / 256},
		"copy":  {5, []uint64{7, 1, 2*part + 1}, 2*part/256 + 1},
		"grow":  {3, []uint64{2}, 2 * 256},
		"tfill": {5, []uint64{0, 10}, 1},
		"tcopy": {5, []uint64{0, 1, 5}, 1},
		"tgrow": {4, []uint64{1000}, 32},
	} {
		require.Equal(t, c.base+c.cost, spent(t, bulk, name, c.args...), name)
	}
	for n, cost := range map[uint64]int64{0: 0, 1: 1, 256: 1, 257: 2, part: part / 256, part + 1: part/256 + 1, 3 * part: 3 * part / 256} {
		for _, name := range []string{"fill", "copy"} {
			require.Equal(t, 5+cost, spent(t, bulk, name, 0, 0, n), "%s of %d", name, n)
		}
	}
}

// Between two polls there is at most one part: a poll comes before each.
func TestAFillOfManyBytesIsPreempted(t *testing.T) {
	for _, name := range []string{"fill", "copy"} {
		w := newWorld(t, 1)
		m := w.mustLoad(t, asm.Assemble(bulk))
		w.call(t, m, name, 0, 0, 9*part+300)
		require.Equal(t, 1+10, w.preempts, name)
	}
}

// Operands that are out of bounds trap as before, and have cost nothing.
func TestABulkInstructionOutOfBoundsChangesNothing(t *testing.T) {
	w := newWorld(t, math.MaxInt64)
	m := w.mustLoad(t, asm.Assemble(bulk))
	fuel := m.ExportedGlobal(meter.Fuel).(api.MutableGlobal)
	before, _ := m.Memory().Read(0, pages<<16)
	before = append([]byte(nil), before...)
	for _, args := range [][]uint64{{1, 1, pages << 16}, {pages<<16 - part, 0, part + 1}, {math.MaxUint32, 0, math.MaxUint32}, {pages << 16, 0, 1}} {
		for _, name := range []string{"fill", "copy"} {
			fuel.Set(1 << 40)
			_, err := m.ExportedFunction(name).Call(context.Background(), args...)
			require.ErrorContains(t, err, "out of bounds memory access\nwasm stack trace:\n\t."+name+"(")
			require.LessOrEqual(t, 1<<40-int64(fuel.Get()), int64(5+1), name)
			after, _ := m.Memory().Read(0, pages<<16)
			require.Equal(t, before, after)
		}
	}
}

// Copies that overlap, in both directions, at and beside the ends of parts and of the memory.
func TestBulkInstructionsDoWhatTheyDoWithoutMetering(t *testing.T) {
	plain, metered := newWorld(t, unmetered), newWorld(t, 1)
	want, got := plain.mustLoad(t, asm.Assemble(bulk)), metered.mustLoad(t, asm.Assemble(bulk))
	for at := range uint32(pages << 16) {
		for _, m := range []api.Module{want, got} {
			m.Memory().WriteByte(at, byte(at*at>>5+at))
		}
	}
	edges := rapid.OneOf(rapid.Uint32Range(0, 300), rapid.Uint32Range(part-3, part+3), rapid.Uint32Range(3*part-3, 5*part+3),
		rapid.Uint32Range(pages<<16-300, pages<<16+3), rapid.Uint32Range(0, pages<<16), rapid.Uint32())
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"fill", "copy"}).Draw(t, "name")
		args := []uint64{uint64(edges.Draw(t, "target")), uint64(edges.Draw(t, "operand")), uint64(edges.Draw(t, "length"))}
		_, refused := want.ExportedFunction(name).Call(context.Background(), args...)
		_, err := got.ExportedFunction(name).Call(context.Background(), args...)
		require.Equal(t, refused == nil, err == nil)
		a, _ := want.Memory().Read(0, pages<<16)
		b, _ := got.Memory().Read(0, pages<<16)
		if string(a) != string(b) {
			t.Fatal("the memories differ")
		}
	})
}
