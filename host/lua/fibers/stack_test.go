//go:build !purego

package fibers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
)

// written is a stack as text: a line for each call.
func written(calls []frame.Frame) string {
	var b strings.Builder
	for _, f := range calls {
		b.WriteString(f.Function)
		if f.File != "" {
			fmt.Fprintf(&b, " %s:%d", f.File, f.Line)
		}
		for _, v := range f.Locals {
			fmt.Fprintf(&b, " %s=%s", v.Name, v.Value)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// stacks gives the programs show(task), which prints the stack of a task with values.
func (s *stage) stacks() {
	s.global("show", func(L *glua.LState) int {
		o, ok := as[*task](L.Get(1))
		if !ok {
			L.RaiseError("a task expected")
		}
		id, _ := o.of.stack.ID().Regular()
		s.out.WriteString(written(s.Stack(id, true)))
		return 0
	})
}

func TestTheStackOfAFiberHasItsCallsInEachState(t *testing.T) {
	for _, c := range stackCases {
		t.Run(c.name, func(t *testing.T) {
			budget := max(c.budget, 0)
			s := set(t, slice(budget))
			s.stacks()
			s.play(c.program)
			require.Equal(t, c.want[1:], s.printed())
		})
	}
}

func TestTheStackOfNoFiberIsNil(t *testing.T) {
	s := set(t, Config{})
	require.Nil(t, s.Stack(fiber.RegularID(0), true))
}
