//go:build !purego && !race

package fibers

import (
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
)

// A way that looked at all calls would allocate for each of them.
func TestTheFunctionOfADeepStackCostsWhatThatOfAShallowOneDoes(t *testing.T) {
	s := set(t, Config{})
	var costs []float64
	s.global("measure", func(*glua.LState) int {
		id, _ := s.rt().Scheduler().Current().Regular()
		require.Equal(t, "leaf", s.Function(id))
		costs = append(costs, testing.AllocsPerRun(10, func() { s.Function(id) }))
		return 0
	})
	s.play(`
		local function leaf() measure() return 1 end
		local function descend(n) if n == 0 then return leaf() + 0 end return descend(n - 1) + 0 end
		for _, n in ipairs{ 1, 10000 } do descend(n) end`)
	require.Equal(t, costs[0], costs[1])
}
