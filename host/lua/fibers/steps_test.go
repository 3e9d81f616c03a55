package fibers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// stepsOfAll are those of all fibers together, each of which counts its own.
func (h *Host) stepsOfAll(t require.TestingT) (sum int64) {
	for _, f := range h.rt().Scheduler().Inspect().Snapshot(scheduler.Snapshot{}).Fibers {
		if id, regular := f.ID.Regular(); regular {
			steps, counted := h.Steps(id)
			require.True(t, counted)
			sum += int64(steps)
		}
	}
	return sum
}

// staying is a program of random loops whose fibers never end, and which calls look now and then.
func staying(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("local never = fiber.chan()\n")
	for i := range rapid.IntRange(1, 6).Draw(t, "fibers") {
		n := rapid.IntRange(0, 30).Draw(t, "turns")
		body := rapid.SampledFrom([]string{
			"x = x + 1", "s = (s .. 'a'):rep(2):sub(1, 40)", "fiber.yield()", "pcall(error, 'e')", "fiber.sleep(0.1)",
			"coroutine.wrap(function() x = x + 1 coroutine.yield() fiber.yield() end)()", "look()", "t[#t + 1] = x table.sort(t)",
		}).Draw(t, "body")
		fmt.Fprintf(&b, "fiber.spawn(function() local x, t, s = %d, {}, '' for _ = 1, %d do %s end never:recv() end)\n", i, n, body)
		if rapid.Bool().Draw(t, "gives way") {
			b.WriteString("fiber.yield() look()\n")
		}
	}
	return b.String() + "never:recv()"
}

func TestTheStepsOfAllFibersAreThoseOfTheAccount(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		program := staying(r)
		cfg := slice(rapid.SampledFrom(append(budgets(), 3)).Draw(r, "budget"))
		if rapid.Bool().Draw(r, "quota") {
			cfg.Quota = quota.Limits{Steps: 1_000_000}
		}
		h := New(cfg)
		defer h.Close()
		look := func(*glua.LState) int {
			before := h.stepsOfAll(r)
			require.Equal(r, h.Spent().Steps, before, "the slice under way counts too")
			require.Equal(r, before, h.stepsOfAll(r))
			return 0
		}
		h.State().Base().SetGlobal("look", h.State().Base().NewFunction(look))
		_, err := h.Run(t.Context(), strings.NewReader(program), "p.lua")
		var deadlock *scheduler.DeadlockError
		require.ErrorAs(r, err, &deadlock)
		require.Positive(r, h.stepsOfAll(r))
		look(nil)
	})
}

// A fiber has the steps that it would have alone.
func TestAFiberHasItsOwnSteps(t *testing.T) {
	for _, budget := range budgets() {
		s := set(t, slice(budget))
		var got []uint64
		s.global("steps", func(L *glua.LState) int {
			o, _ := as[*task](L.Get(1))
			id, _ := o.of.stack.ID().Regular()
			steps, counted := s.Steps(id)
			require.True(t, counted)
			got = append(got, steps)
			return 0
		})
		s.play(`
			local function busy(n) for i = 1, n do end fiber.sleep(1) end
			local tasks = {}
			for i, n in ipairs{ 1000, 10, 1000 } do tasks[i] = fiber.spawn(busy, n) end
			fiber.sleep(0.5)
			for _, t in ipairs(tasks) do steps(t) end`)
		require.Equal(t, got[0], got[2], "budget %d", budget)
		require.EqualValues(t, 990, got[0]-got[1], "a turn of the loop is a step")
	}
}

func TestWhatIsNoFiberOfTheHostHasNoSteps(t *testing.T) {
	s := set(t, Config{})
	_, err := s.env.spawnIn("go", func(f *stackful.Fiber) (any, error) {
		id, _ := f.Task().ID().Regular()
		_, counted := s.Steps(id)
		require.False(t, counted, "it runs no Lua code")
		return nil, nil
	})
	require.NoError(t, err)
	s.global("steps", func(L *glua.LState) int {
		o, _ := as[*task](L.Get(1))
		id, _ := o.of.stack.ID().Regular()
		steps, counted := s.Steps(id)
		require.True(t, counted)
		require.Zero(t, steps, "it has not begun")
		return 0
	})
	s.play("steps(fiber.spawn(function() end)) fiber.sleep(1)")
	_, counted := s.Steps(fiber.RegularID(0))
	require.False(t, counted)
}
