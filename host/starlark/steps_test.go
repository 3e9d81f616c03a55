package starlark_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/starlark"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// endless programs execute steps until the quota ends them: one fiber, and several that wait for each other.
var endless = map[string]string{
	"without waits": `
n = 0
while True:
    n += 1
`,
	"with waits": `
def produce(ch):
    while True:
        ch.send([1] * 3)
def tick():
    while True:
        fiber.sleep(0.001)
def lots(m):
    while True:
        m.lock()
        fiber.yield_now()
        m.unlock()
ch, m = fiber.chan(2), fiber.mutex()
fiber.spawn(produce, ch)
fiber.spawn(tick)
fiber.spawn(lots, m)
fiber.spawn(lots, m)
for v in ch:
    fiber.select([(ch, "recv")], timeout=0.01)
`,
}

// A quota of N steps is passed by step N+1, and not before: for 1,000 random N.
func TestAQuotaOfStepsIsExact(t *testing.T) {
	for name, source := range endless {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for range 1000 {
				n, slice := 1+r.Int64N(5000), 1+r.IntN(300)
				cfg := starlark.Config{Quota: quota.Limits{Steps: n}}
				cfg.Runtime.Budget = slice
				e := play(t, cfg, source)
				var passed *quota.Error
				require.ErrorAs(t, e.err, &passed, "%d steps, slice %d", n, slice)
				require.Equal(t, quota.Steps, passed.Resource)
				require.Equal(t, n, passed.Limit)
				require.Equal(t, n, e.steps, "slice %d", slice)
			}
		})
	}
}

// A program that ends is not ended by a quota of as many steps as it has, and is by one less.
func TestAQuotaOfTheStepsOfAProgramIsEnough(t *testing.T) {
	const source = `
def work(n):
    total = 0
    for i in range(n):
        total += i
    return "x" * 3000 + str(total)
print(len([fiber.spawn(work, n).join() for n in range(20)]), sorted(range(1000))[-1])
`
	whole := play(t, starlark.Config{Quota: quota.Limits{Steps: 1 << 40}}, source)
	require.NoError(t, whole.err)
	for _, slice := range []int{1, 7, 100, 10_000} {
		cfg := starlark.Config{Quota: quota.Limits{Steps: whole.steps}}
		cfg.Runtime.Budget = slice
		e := play(t, cfg, source)
		require.NoError(t, e.err)
		require.Equal(t, whole.steps, e.steps, "slice %d", slice)
		cfg.Quota.Steps--
		e = play(t, cfg, source)
		require.ErrorAs(t, e.err, new(*quota.Error))
		require.Equal(t, whole.steps-1, e.steps)
	}
}

// A fiber is preempted after as many steps as the slice has, and its waits do not change that.
func TestSlicesAreExact(t *testing.T) {
	for _, source := range []string{
		"for i in range(1000): pass",
		"ch = fiber.chan(1)\nfor i in range(300):\n fiber.sleep(1)\n ch.send(i)\n ch.recv()",
	} {
		for _, slice := range []int{1, 7, 100, 997, 10_000} {
			cfg, yields := starlark.Config{}, int64(0)
			cfg.Runtime.Budget = slice
			cfg.Runtime.Observer = func(step scheduler.Transition) {
				if step.Op.String() == "YieldCurrent" {
					yields++
				}
			}
			e := play(t, cfg, source)
			require.NoError(t, e.err)
			require.Equal(t, (e.steps-1)/int64(slice), yields, "slice %d of %d steps", slice, e.steps)
		}
	}
}
