//go:build amd64 && linux

package execmem_test

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo/internal/execmem"
)

// code takes 1 from the budget, and leaves with exit 7.
func code() []byte {
	return []byte{
		0x49, 0x83, 0xef, 0x01, // sub r15, 1
		0xb8, 7, 0, 0, 0, // mov eax, 7
		0xc3, // ret
	}
}

func TestCodeIsEnteredAndLeft(t *testing.T) {
	pages, err := execmem.Map(code())
	require.NoError(t, err)
	c := execmem.Context{Budget: 10, Frames: 1, Frame: 2}
	c.Enter(pages.Addr())
	require.EqualValues(t, 9, c.Budget)
	require.EqualValues(t, 7, c.Exit)
	require.EqualValues(t, 1, c.Bottom)
	require.NoError(t, pages.Unmap())
}

// protection is what the system says about the page at an address; "" if there is none.
func protection(t *testing.T, at uintptr) (of string, all []string) {
	t.Helper()
	maps, err := os.Open("/proc/self/maps")
	require.NoError(t, err)
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		var from, to uintptr
		var mode string
		_, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &from, &to, &mode)
		require.NoError(t, err)
		all = append(all, mode)
		if from <= at && at < to {
			of = mode
		}
	}
	require.NoError(t, lines.Err())
	require.NoError(t, maps.Close())
	return of, all
}

func TestNoPageCanBeWrittenAndExecuted(t *testing.T) {
	pages, err := execmem.Map(code())
	require.NoError(t, err)
	at := pages.Addr()
	of, all := protection(t, at)
	require.Equal(t, "r-xp", of)
	for _, mode := range all {
		require.False(t, strings.Contains(mode, "w") && strings.Contains(mode, "x"), mode)
	}
	require.NoError(t, pages.Unmap())
	of, _ = protection(t, at)
	require.NotContains(t, of, "x")
}

// TestTheWriteBarrierIsSeen lets the collector mark a heap of pointers until code that
// writes references is refused, and other code is not let return into what may.
func TestTheWriteBarrierIsSeen(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	pages, err := execmem.Map(code())
	require.NoError(t, err)
	type node struct{ next *node }
	var heap []*node
	var last *node
	refused, bounded := false, false
	for i := 0; i < 1<<23 && !(refused && bounded); i++ {
		heap = append(heap, &node{last})
		last = heap[i]
		if !execmem.BarrierIsOn() {
			continue
		}
		c := execmem.Context{Frames: 1, Frame: 2, WritesRefs: true, Exit: 9}
		c.Enter(pages.Addr())
		refused = refused || c.Exit == execmem.Refused && c.Budget == 0
		c = execmem.Context{Frames: 1, Frame: 2}
		c.Enter(pages.Addr())
		require.EqualValues(t, 7, c.Exit)
		bounded = bounded || c.Bottom == c.Frame
	}
	require.True(t, refused, "code that writes references was never refused")
	require.True(t, bounded)
	require.NotEmpty(t, heap)
	require.NoError(t, pages.Unmap())
}
