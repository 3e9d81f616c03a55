package fibers

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/island"
)

// islandNames are the islands that a Host tells of, to any goroutine.
func islandNames(r *island.Registry) string {
	if r == nil {
		return "none"
	}
	var all []string
	for _, i := range r.Islands() {
		all = append(all, i.Name())
	}
	return strings.Join(all, " ")
}

func TestTheRegistryHasTheIslandsOfTheProgram(t *testing.T) {
	looks := func(h *Host) {
		L := h.State().Base()
		L.SetGlobal("look", L.NewFunction(func(L *glua.LState) int {
			L.Push(glua.LString(islandNames(h.Registry())))
			return 1
		}))
	}
	cfg := realTime(0)
	cfg.Islands = looks
	s := set(t, cfg)
	looks(s.Host)
	stop := make(chan struct{})
	var other sync.WaitGroup
	other.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				islandNames(s.Registry())
			}
		}
	})
	_, err := s.Run(s.ctx, strings.NewReader(`
		print(look())
		local north, south = fiber.island("north"), fiber.island("south")
		print(look())
		print(south:spawn(function() return look() end):join())`), "test.lua")
	close(stop)
	other.Wait()
	require.NoError(t, err)
	require.Equal(t, "none\nmain north south\ntrue main north south\n", strings.ReplaceAll(s.out.String(), "\t", " "))
	require.Empty(t, islandNames(s.Registry()), "the islands have ended with the program")
}

func TestAProgramWithoutIslandsHasNoRegistry(t *testing.T) {
	s := set(t, realTime(0))
	_, err := s.Run(s.ctx, strings.NewReader(`fiber.sleep(0)`), "test.lua")
	require.NoError(t, err)
	require.Nil(t, s.Registry())
}
