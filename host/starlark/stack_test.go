package starlark_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/host/starlark"
)

// The stack of each fiber of a deadlock has its calls, lines and variables, and short text of large values.
func TestTheStackOfAWaitingFiber(t *testing.T) {
	h, err := starlark.New(starlark.Config{})
	require.NoError(t, err)
	defer h.Close()
	_, err = h.Run(t.Context(), "p.star", []byte(`
def wait(ch, big):
    text = "x" * 1000
    return sorted([1], key=lambda n: ch.recv())
fiber.spawn(wait, fiber.chan(name="never"), [0] * 100).join()
`))
	require.ErrorContains(t, err, "p.star:4 waits on chan")
	var stacks [][]frame.Frame
	for id := range h.Group().Fibers() {
		stacks = append(stacks, h.Stack(id, true))
	}
	require.Len(t, stacks, 2)
	require.Equal(t, []string{"join", "<toplevel>"}, names(stacks[0]))
	require.Equal(t, []string{"recv", "lambda", "sorted", "wait"}, names(stacks[1]))
	wait := stacks[1][3]
	require.Equal(t, 4, wait.Line)
	require.Equal(t, "p.star", wait.File)
	values := map[string]string{}
	for _, v := range wait.Locals {
		values[v.Name] = v.Value
	}
	require.Equal(t, "list of 100", values["big"])
	require.Len(t, []rune(values["text"]), frame.MaxText)
	require.Equal(t, "a variable that a function inside has, too", values["ch"])
	require.Nil(t, h.Stack(fiber.RegularID(1<<40), false))
	for _, f := range h.Stack(first(h), false) {
		require.Empty(t, f.Locals)
	}
}

func names(stack []frame.Frame) (list []string) {
	for _, f := range stack {
		list = append(list, f.Function)
	}
	return list
}

func first(h *starlark.Host) fiber.RegularID {
	for id := range h.Group().Fibers() {
		return id
	}
	return 0
}
