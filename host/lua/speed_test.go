//go:build !race && !purego

package lua_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/quota"
)

// TestCPUBoundProgramsCostAtMostATenthMoreThanOnBareGopherLua compares short runs that
// alternate in one process. Other load on the machine only ever adds to a run, so the shortest of
// each kind are compared; as many as it takes, within reason, are made until both had the
// processor to themselves once.
//
// It is a benchmark, because a test must not fail on a machine that is busy; .ci/run bench runs it.
func BenchmarkCPUBoundProgramsCostAtMostATenthMoreThanOnBareGopherLua(b *testing.B) {
	for _, program := range benchmarks[:3] {
		b.Run(program.name, func(b *testing.B) { requireRatio(b, 1.10, program.source) })
	}
}

func BenchmarkAProtectedCallCostsAtMostWhatItCostsOnBareGopherLua(b *testing.B) {
	for _, program := range benchmarks {
		if program.name == "pcall" || program.name == "caught errors" {
			b.Run(program.name, func(b *testing.B) { requireRatio(b, 1.20, program.source) })
		}
	}
}

// The quota is several times what the programs have alive, and less than what they allocate.
func BenchmarkCPUBoundProgramsWithAMemoryQuotaCostAtMostThreeTwentiethsMore(b *testing.B) {
	for _, program := range append(benchmarks[:3:3], benchmark{"fib", fib}, benchmark{"objects", objects}) {
		b.Run(program.name, func(b *testing.B) {
			guest := quota.New("guest", quota.Limits{Memory: 64 << 20})
			requireRatioWith(b, lua.Config{Memory: guest}, 1.15, program.source)
		})
	}
}

// Beside the check against bare gopher-lua: what the quota alone costs, without the loop that counts
// instructions.
func BenchmarkAMemoryQuotaAloneCostsCPUBoundProgramsAtMostThreeTwentieths(b *testing.B) {
	for _, program := range append(benchmarks[:3:3], benchmark{"fib", fib}, benchmark{"objects", objects}) {
		b.Run(program.name, func(b *testing.B) {
			guest := quota.New("guest", quota.Limits{Memory: 64 << 20})
			requireRatioOf(b, 1.15, &race{
				base:   inState(b, lua.Config{}, program.source, false),
				hosted: inState(b, lua.Config{Memory: guest}, program.source, false),
			})
		})
	}
}

func requireRatio(b *testing.B, limit float64, program string) {
	requireRatioWith(b, lua.Config{}, limit, program)
}

// requireRatioWith compares a State of this Config with bare gopher-lua.
func requireRatioWith(b *testing.B, c lua.Config, limit float64, program string) {
	requireRatioOf(b, limit, &race{base: onGopherLua(b, program), hosted: inState(b, c, program, false)})
}

func requireRatioOf(b *testing.B, limit float64, race *race) {
	defer race.close()
	for range 5 {
		for range 50 {
			race.round()
		}
		if race.undisturbed() <= limit {
			b.Logf("hosted/base %.3f", race.undisturbed())
			return
		}
	}
	b.Errorf("hosted/base %.3f; want at most %.2f", race.undisturbed(), limit)
}

// footprint is the memory of one parked fiber in bytes, on the heap and in Go stacks.
func footprint(t *testing.T, fibers int, program string) (heap, stacks uint64) {
	d := newDriver(t, lua.Config{}, 1<<40)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	d.start(t, program)
	for range fibers + 1 {
		d.step()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Len(t, d.ready, fibers+1, "all must be parked")
	n := uint64(fibers)
	return (after.HeapInuse - before.HeapInuse) / n, (after.StackInuse - before.StackInuse) / n
}

func TestTenThousandParkedFibersFitInAHundredMegabytes(t *testing.T) {
	const fibers = 10_000
	heap, stacks := footprint(t, fibers, `
		local function work(n) local t = {n}; pause(); return t[1] end
		for i = 1, 10000 do fork(function() local sum = 0; for j = 1, 5 do sum = sum + work(j) end end) end
		pause()`)
	t.Logf("one parked fiber: %d bytes on the heap, %d bytes of Go stack", heap, stacks)
	require.Less(t, (heap+stacks)*fibers, uint64(100<<20))
}
