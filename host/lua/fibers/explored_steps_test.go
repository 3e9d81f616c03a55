//go:build !purego

package fibers_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/scheduler"
)

// sharing is a program whose fibers share variables, tables, a channel, a lock and the random numbers. What they
// have seen is printed at the end.
const sharing = `
local up, t, list, ch, mu = 0, {}, {}, fiber.chan(1), fiber.mutex()
n = 0
local seen, tasks = {}, {}
%s
for i = 1, #tasks do tasks[i]:join() end
for i = 1, #tasks do print(i, table.concat(seen[i], " ")) end
print(n, up, t.x, #list)`

// statements are grouped by what they share.
var statements = [][]string{
	{"n = n + 1", "local v = n fiber.yield() n = v + %d", "see(n)"},
	{"up = up + 1", "local v = up fiber.yield() up = v + %d", "see(up)", "mu:lock() up = up * 2 + %d mu:unlock()"},
	{"t.x = %d", "see(t.x)", "rawset(t, 'x', 5)", "see(rawget(t, 'x'))"},
	{"t[%d] = true", "for k in pairs(t) do see(k) end", "see(next(t))", "t[1] = nil"},
	{"table.insert(list, %d)", "see(table.remove(list))", "see(#list)", "see(table.concat(list))", "list[#list + 1] = 7"},
	{"see(math.random(1000))", "see(math.random(10))", "math.randomseed(%d)"},
	{"setmetatable(t, { __index = function() return %d end })", "see(t.nothing)", "see(getmetatable(t) ~= nil)"},
	{"see(ch:try_send(%d))", "see(ch:try_recv())", "ch:send(%d)", "see(ch:recv())"},
	{"see(mu:try_lock())", "mu:lock() fiber.yield() mu:unlock()"},
}

func sharingOf(statements ...string) string {
	var b strings.Builder
	for i, s := range statements {
		fmt.Fprintf(&b, "local mine = {} seen[%[1]d] = mine\ntasks[%[1]d] = fiber.spawn(function()\n"+
			" local function see(v) mine[#mine + 1] = tostring(v) end\n %[2]s\nend)\n", i+1, strings.ReplaceAll(s, "%d", strconv.Itoa(i+1)))
	}
	return fmt.Sprintf(sharing, b.String())
}

// endingsOf runs all schedules of a strategy, and returns how the runs ended.
func endingsOf(t *testing.T, source string, s explore.Strategy, runs int) (map[string]int, explore.Result) {
	inner := explore.Guest(explore.Bounds{}, func(ctx context.Context, cfg scheduler.Config, output io.Writer) error {
		c := fibers.Config{}
		c.Access.Stdout, c.Access.Stderr = output, output
		c.Runtime.Config = cfg
		host := fibers.New(c)
		defer host.Close()
		_, err := host.Run(ctx, strings.NewReader(source), "p.lua")
		return err
	})
	ends := map[string]int{}
	r, err := explore.Search(context.Background(), func(d *explore.Decisions) (explore.Ending, error) {
		ending, err := inner(d)
		ends[fmt.Sprint(ending.Kind, ending.Text, ending.Output)]++
		return explore.Ending{Kind: explore.Passed}, err
	}, explore.Options{Strategy: s, Runs: runs})
	require.NoError(t, err, source)
	return ends, r
}

// What the steps of a Lua program use is declared: DPOR leaves out nothing that all schedules of two
// statements find.
func TestDPORFindsTheEndingsOfAllSchedulesOfTwoStatements(t *testing.T) {
	programs, dfs, dpor := 0, 0, 0
	for _, group := range statements {
		for i, a := range group {
			for _, b := range group[i:] {
				source := sharingOf(a, b)
				want, every := endingsOf(t, source, explore.Depth(explore.Unbounded), 1000)
				if every.Complete == "" {
					continue
				}
				got, some := endingsOf(t, source, explore.DPOR(), 1000)
				require.NotEmpty(t, some.Complete, source)
				require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)), source)
				programs, dfs, dpor = programs+1, dfs+every.Runs, dpor+some.Runs
			}
		}
	}
	t.Logf("%d programs, %d schedules, %d of them were enough", programs, dfs, dpor)
	require.Greater(t, programs, 60)
	require.Less(t, dpor, dfs*3/4)
}
