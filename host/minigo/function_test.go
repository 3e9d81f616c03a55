package minigo_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo"
)

// Only the innermost frames are looked at, and no text is made.
func TestTheFunctionOfAGoroutineCostsNoMemory(t *testing.T) {
	const text = `package main

import "host/probe"

func leaf() { probe.Look() }
func descend(n int) { if n > 0 { descend(n - 1) } else { leaf() } }
func main() { descend(1); descend(5000) }
`
	var h *minigo.Host
	looks := 0
	library := minigo.Library{}
	look := func() {
		looks++
		id, _ := h.Scheduler().Current().Regular()
		require.Equal(t, "main.leaf", h.Function(id))
		require.Zero(t, testing.AllocsPerRun(10, func() { h.Function(id) }))
	}
	require.NoError(t, library.Bind("host/probe.Look", bind.Must(bind.New(look))))
	program, err := library.Compile(minigo.File{Name: "p.go", Text: []byte(text)})
	require.NoError(t, err)
	h, err = minigo.New(program, minigo.Config{})
	require.NoError(t, err)
	require.NoError(t, h.Run(t.Context()))
	require.Equal(t, 2, looks)
}
