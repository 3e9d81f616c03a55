package starlark_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/starlark"
	"github.com/selvage-dev/selvage/quota"
)

// generator writes random programs that have one output in virtual time, whatever the order of the fibers: each fiber has
// values of its own, a channel has one sender and one receiver, and all fibers add to a sum by one channel.
type generator struct {
	*rand.Rand
	b       strings.Builder
	names   int
	workers int
}

func (g *generator) line(indent int, format string, args ...any) {
	fmt.Fprintf(&g.b, strings.Repeat("    ", indent)+format+"\n", args...)
}

// program writes a few functions, each of which may spawn those above it.
func (g *generator) program() string {
	g.line(0, "sum, lock = fiber.chan(3), fiber.mutex()")
	for range 2 + g.IntN(4) {
		g.line(0, "def w%d(n, seen):", g.workers)
		g.line(1, "seen = list(seen)")
		for range 1 + g.IntN(6) {
			g.statement(1)
		}
		g.line(1, "return seen")
		g.workers++
	}
	g.line(0, "def main():")
	g.line(1, "tasks = [fiber.spawn(w%d, i, [i]) for i in range(%d)]", g.workers-1, 1+g.IntN(5))
	g.line(1, "def total():")
	g.line(2, "n = 0")
	g.line(2, "for v in sum: n += v")
	g.line(2, "return n")
	g.line(1, "adding = fiber.spawn(total)")
	g.line(1, "for t in tasks: print(t.outcome())")
	g.line(1, "sum.close()")
	g.line(1, "print(adding.join(), fiber.now())")
	g.line(0, "main()")
	return g.b.String()
}

func (g *generator) statement(indent int) {
	g.names++
	n := g.IntN(20)
	switch g.IntN(12) {
	case 0:
		g.line(indent, "seen.append(n * %d %% 7)", n)
	case 1:
		g.line(indent, "fiber.sleep(%d + n)", n)
	case 2:
		g.line(indent, "for i in range(%d): sum.send(i)", n)
	case 3:
		g.line(indent, "seen += sorted([i * %d %% 11 for i in range(%d)])[:3]", n+1, n)
	case 4:
		if g.workers > 0 {
			g.line(indent, "seen.append(fiber.spawn(w%d, %d, list(seen)).outcome())", g.IntN(g.workers), n)
		}
	case 5:
		if g.workers > 0 {
			g.line(indent, "seen.append(fiber.timeout(%d.5, w%d, %d, seen[:1]) or 'late')", n, g.IntN(g.workers), n)
		}
	case 6:
		g.line(indent, "c%d = fiber.chan(%d)", g.names, g.IntN(3))
		g.line(indent, "def p%d():", g.names)
		g.line(indent+1, "for i in range(%d): c%d.send([i])", n, g.names)
		g.line(indent+1, "c%d.close()", g.names)
		g.line(indent, "fiber.spawn(p%d)", g.names)
		g.line(indent, "for v in c%d: seen.append(v[0])", g.names)
	case 7:
		g.line(indent, "lock.lock()")
		g.line(indent, "fiber.yield_now()")
		g.line(indent, "lock.unlock()")
	case 8:
		g.line(indent, "seen.append(lock.hold(lambda: len(str(seen))))")
	case 9:
		g.line(indent, "seen.append(fiber.select([(fiber.chan(), 'recv'), (None, 'recv')], timeout=%d))", n)
	case 10:
		g.line(indent, "if n == %d: fail('unlucky')", n)
	case 11:
		g.line(indent, "def b%d(s): return [s.spawn(lambda i: i * i, i).name() != '' for i in range(%d)]", g.names, n)
		g.line(indent, "seen.append(fiber.scope(b%d))", g.names)
	}
}

// The output of a program depends neither on where its fibers are preempted, nor on the seed, nor on a quota.
func TestRandomProgramsHaveOneOutput(t *testing.T) {
	long := 0
	for i := range uint64(150) {
		source := (&generator{Rand: rand.New(rand.NewPCG(i, 1))}).program()
		want := play(t, starlark.Config{}, source)
		require.NoError(t, want.err, source)
		long = max(long, len(want.out))
		for _, slice := range []int{1, 7, 100, 10_000} {
			for seed := range uint64(2) {
				cfg := starlark.Config{}
				cfg.Runtime.Budget, cfg.Runtime.Seed = slice, seed
				if seed == 1 {
					cfg.Quota = quota.Limits{Steps: 1 << 40, Memory: 1 << 30}
				}
				e := play(t, cfg, source)
				require.NoError(t, e.err, source)
				require.Equal(t, want.out, e.out, "program %d, slice %d, seed %d:\n%s", i, slice, seed, source)
			}
		}
	}
	require.Greater(t, long, 300, "the programs do little")
}
