//go:build !purego

package fibers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/quota"
)

// way is how one function of a random program calls another.
type way struct {
	text  string // %s is the callee
	own   int64  // instructions that count to the caller
	below []string
	extra []string // Go functions that are called besides, each by one instruction
}

// ways: the call of a Go function counts to that function.
var ways = []way{
	{text: "%s()", own: 2},
	{text: "pcall(%s)", own: 2, below: []string{"pcall"}},
	{text: "coroutine.wrap(%s)()", own: 3, below: []string{"(anonymous)"}, extra: []string{"coroutine.wrap"}},
	{text: "local co = coroutine.create(%s) coroutine.resume(co)", own: 6, below: []string{"coroutine.resume"}, extra: []string{"coroutine.create"}},
}

// callTree is a random program: each function has a loop, and calls functions before it.
type callTree struct {
	loops []int64
	calls [][]treeCall
}

type treeCall struct{ way, callee int }

func randomTree(t *rapid.T) (c callTree) {
	for f := range rapid.IntRange(1, 6).Draw(t, "functions") {
		c.loops = append(c.loops, rapid.Int64Range(1, 20).Draw(t, "loop"))
		var calls []treeCall
		if f > 0 {
			calls = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) treeCall {
				return treeCall{rapid.IntRange(0, len(ways)-1).Draw(t, "way"), rapid.IntRange(0, f-1).Draw(t, "callee")}
			}), 0, 3).Draw(t, "calls")
		}
		c.calls = append(c.calls, calls)
	}
	return c
}

func (c callTree) text() string {
	var b strings.Builder
	for f, calls := range c.calls {
		fmt.Fprintf(&b, "local function f%d()\n  for i = 1, %d do end\n", f, c.loops[f])
		for _, call := range calls {
			fmt.Fprintf(&b, "  do "+ways[call.way].text+" end\n", fmt.Sprintf("f%d", call.callee))
		}
		b.WriteString("end\n")
	}
	fmt.Fprintf(&b, "f%d()\n", len(c.calls)-1)
	return b.String()
}

// count adds the instructions of one call of f, with what it calls, by stacks.
func (c callTree) count(f int, below string, to map[string]int64) {
	stack := fmt.Sprintf("f%d < %s", f, below)
	to[stack] += 3 + 1 + c.loops[f] + 1 + 1 // three bounds, the beginning of the loop, its turns and its end, the return
	for _, call := range c.calls[f] {
		w, inner := ways[call.way], stack
		to[stack] += w.own
		for _, name := range w.extra {
			to[name+" < "+stack]++
		}
		for _, name := range w.below {
			inner = name + " < " + inner
			to[inner]++
		}
		c.count(call.callee, inner, to)
	}
}

func TestAProfileOfARandomCallTreeCountsEachInstruction(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tree := randomTree(r)
		p := sampled(t, fibers.Config{Quota: quota.Limits{Steps: 1 << 40}}, tree.text())
		want, got := map[string]int64{}, map[string]int64{}
		tree.count(len(tree.calls)-1, "main chunk", want)
		for stack, n := range byFunction(p) {
			if stack != "main chunk" {
				got[stack] = n
			}
		}
		require.Equal(t, want, got, tree.text())
	})
}
