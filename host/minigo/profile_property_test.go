package minigo_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/minigo"
)

// way is how one function of a random program calls another; %s is the callee. A call is one step of the
// function that makes it.
type way struct {
	text   string
	within string // the closure that makes the call, after the function's name; "" if the function does
}

var callWays = []way{
	{text: "%s()"},
	{text: "g = %s; g()"},
	{text: "d = caller(%s); d.Do()", within: "caller.Do"},
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
				return treeCall{rapid.IntRange(0, len(callWays)-1).Draw(t, "way"), rapid.IntRange(0, f-1).Draw(t, "callee")}
			}), 0, 3).Draw(t, "calls")
		}
		c.calls = append(c.calls, calls)
	}
	return c
}

func (c callTree) text() string {
	var b strings.Builder
	b.WriteString("package main\n\ntype caller func()\n\nfunc (c caller) Do() { c() }\n\nvar g func()\n\nvar d interface{ Do() }\n\n")
	for f, calls := range c.calls {
		fmt.Fprintf(&b, "func f%d() {\n\tfor i := 0; i < %d; i++ {\n\t}\n", f, c.loops[f])
		for _, call := range calls {
			fmt.Fprintf(&b, "\t"+callWays[call.way].text+"\n", fmt.Sprintf("f%d", call.callee))
		}
		b.WriteString("}\n\n")
	}
	fmt.Fprintf(&b, "func main() { f%d() }\n", len(c.calls)-1)
	return b.String()
}

// count adds the calls and jumps back of one call of f, with what it calls, by stacks.
func (c callTree) count(f int, below string, to map[string]int64) {
	stack := fmt.Sprintf("main.f%d < %s", f, below)
	to[stack] += c.loops[f] - 1
	for _, call := range c.calls[f] {
		inner := stack
		to[inner]++
		if w := callWays[call.way].within; w != "" {
			inner = "main." + w + " < " + inner
			to[inner]++
		}
		c.count(call.callee, inner, to)
	}
	if to[stack] == 0 {
		delete(to, stack)
	}
}

func TestAProfileOfARandomCallTreeCountsEachCallAndJumpBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tree := randomTree(r)
		want, got := map[string]int64{}, map[string]int64{}
		tree.count(len(tree.calls)-1, "main.main", want)
		for _, s := range sampled(t, minigo.Config{}, tree.text()).Sample {
			var calls []string
			for _, l := range s.Location {
				calls = append(calls, l.Line[0].Function.Name)
			}
			if calls[0] != "main.main" && calls[0] != "main.init.0" {
				got[strings.Join(calls, " < ")] += s.Value[1]
			}
		}
		require.Equal(t, want, got, tree.text())
	})
}
