//go:build !purego && !race

package fibers

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/scheduler"
)

const oneLine = `local x = 1 + 1`

// guest makes a host, runs a compiled program, and closes the host.
func guest(program *Program) {
	h := New(Config{})
	defer h.Close()
	if _, err := h.Call(context.Background(), program); err != nil {
		panic(err)
	}
}

// bareGuest is guest with gopher-lua alone.
func bareGuest(program *glua.FunctionProto) {
	L := glua.NewState()
	defer L.Close()
	L.Push(L.NewFunctionFromProto(program))
	if err := L.PCall(0, glua.MultRet, nil); err != nil {
		panic(err)
	}
}

// allocated is how many objects and bytes a call allocates, as the mean of many.
func allocated(f func()) (objects, bytes float64) {
	const calls = 20
	f()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		f()
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / calls, float64(after.TotalAlloc-before.TotalAlloc) / calls
}

// A fresh host has the libraries of Lua, as gopher-lua has, and its own: fibers, files, network.
func TestAFreshGuestAllocatesAtMostTwiceWhatGopherLuaDoes(t *testing.T) {
	program, err := Compile(strings.NewReader(oneLine), "p.lua")
	require.NoError(t, err)
	proto, err := lua.Compile(strings.NewReader(oneLine), "p.lua")
	require.NoError(t, err)
	objects, bytes := allocated(func() { guest(program) })
	bareObjects, bareBytes := allocated(func() { bareGuest(proto) })
	t.Logf("a guest: %.0f objects, %.0f bytes; gopher-lua: %.0f objects, %.0f bytes", objects, bytes, bareObjects, bareBytes)
	require.Less(t, objects, 2*bareObjects)
	require.Less(t, bytes, 2*bareBytes)
}

func TestASmallProgramAllocatesTwiceTheBytesOfGopherLuaAtMost(t *testing.T) {
	h := New(Config{})
	defer h.Close()
	L := glua.NewState()
	defer L.Close()
	objects, bytes := allocated(func() {
		if _, err := h.Run(context.Background(), strings.NewReader(oneLine), "p.lua"); err != nil {
			panic(err)
		}
	})
	bareObjects, bareBytes := allocated(func() {
		if err := L.DoString(oneLine); err != nil {
			panic(err)
		}
	})
	t.Logf("a program: %.0f objects, %.0f bytes; gopher-lua: %.0f objects, %.0f bytes", objects, bytes, bareObjects, bareBytes)
	require.Less(t, objects, 2.5*bareObjects)
	require.Less(t, bytes, 2*bareBytes)
}

// rests are programs after which a host is kept, one that has ended and one whose fibers wait, and
// the most bytes of a host after each. Half of them are the tables of the libraries and their
// functions, a sixth is the scheduler.
var rests = map[string]struct {
	program string
	most    int64
}{
	"ended":   {`total = 0 for i = 1, 100 do total = total + i end`, 117_000},
	"waiting": {`local ch = fiber.chan() fiber.spawn(function() ch:recv() end) fiber.chan():recv()`, 140_000},
}

func TestAThousandGuestsAtRestTakeLittleMemoryEach(t *testing.T) {
	hosts := 1000
	if long.On(t) {
		hosts = 10_000
	}
	for name, rest := range rests {
		t.Run(name, func(t *testing.T) {
			all := make([]*Host, hosts)
			before := inUse()
			for i := range all {
				all[i] = New(Config{})
				_, err := all[i].Run(context.Background(), strings.NewReader(rest.program), "p.lua")
				require.Equal(t, name == "waiting", errors.As(err, new(*scheduler.DeadlockError)), err)
			}
			each := (inUse() - before) / int64(hosts)
			for _, h := range all {
				h.Close()
			}
			t.Logf("%d hosts, %d bytes each", hosts, each)
			require.Less(t, each, rest.most)
		})
	}
}

// inUse is the memory of the live objects and of the Go stacks.
func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}
