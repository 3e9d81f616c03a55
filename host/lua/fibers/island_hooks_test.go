package fibers

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/scheduler"
)

// hooked notes what the hooks of the islands of a program tell.
type hooked struct {
	mu   sync.Mutex
	told map[string][]string // by island, in order
}

func (w *hooked) tell(island, what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told[island] = append(w.told[island], what)
}

func (w *hooked) hooks(island string, cfg *scheduler.Config) IslandHooks {
	w.tell(island, "asked")
	var of *Host
	ran := false
	cfg.OneByOne = true
	cfg.Record = func(entries []scheduler.Entry, _ bool, _ int) bool {
		if len(entries) > 0 && !ran {
			ran = true
			w.tell(island, "runs on "+of.islands.isle.Name())
		}
		return false
	}
	return IslandHooks{
		Made: func(h *Host) {
			of = h
			w.tell(island, "made")
		},
		Ended: func() {
			of.Runtime().Scheduler().Inspect().Flush()
			w.tell(island, "ended")
		},
	}
}

// runHooked runs a program, and tells what its islands did, by name.
func runHooked(t *testing.T, cfg Config, program string) (*hooked, error) {
	w := &hooked{told: map[string][]string{}}
	cfg.IslandHooks = w.hooks
	s := set(t, cfg)
	_, err := s.Run(s.ctx, strings.NewReader(program), "test.lua")
	return w, err
}

func TestTheHooksOfAnIslandFollowItToItsEnd(t *testing.T) {
	w, err := runHooked(t, realTime(0), `
		fiber.island("north"):spawn(function()
			fiber.island("nested"):spawn(function() return 1 end):join()
			fiber.island("unused")
		end):join()`)
	require.NoError(t, err)
	require.Equal(t, map[string][]string{
		"north":  {"asked", "made", "runs on north", "ended"},
		"nested": {"asked", "made", "runs on nested", "ended"},
		"unused": {"asked", "made", "ended"},
	}, w.told, "the first island has none")
}

func TestAnIslandThatCannotBeginHasEndedToo(t *testing.T) {
	w, err := runHooked(t, realTime(0), `fiber.island("north") fiber.island("north")`)
	require.ErrorContains(t, err, "in use by another island")
	counts := map[string]int{}
	for _, what := range w.told["north"] {
		counts[what]++
	}
	require.Equal(t, map[string]int{"asked": 2, "made": 2, "ended": 2}, counts, "%q", w.told)
}

func TestTheHooksOfAnIslandEndHoweverTheRunEnds(t *testing.T) {
	for _, program := range []string{
		`fiber.island("north"):spawn(function() while true do end end) error("no")`,
		`fiber.island("north"):spawn(function() os.exit(3) end):join()`,
		`fiber.island("north"):spawn(function() fiber.chan():recv() end):join()`,
		`fiber.island("north"):spawn(function() error("no") end):join() error("no")`,
	} {
		w, err := runHooked(t, realTime(0), program)
		require.Error(t, err, program)
		told := w.told["north"]
		require.Equal(t, "ended", told[len(told)-1], program)
		require.Equal(t, 1, len(slices.DeleteFunc(told, func(s string) bool { return s != "ended" })), program)
	}
}

func TestAnIslandMayHaveNoHooks(t *testing.T) {
	cfg := realTime(0)
	cfg.IslandHooks = func(string, *scheduler.Config) IslandHooks { return IslandHooks{} }
	s := set(t, cfg)
	_, err := s.Run(s.ctx, strings.NewReader(`print(fiber.island("north"):spawn(function() return 1 end):join())`), "test.lua")
	require.NoError(t, err)
}
