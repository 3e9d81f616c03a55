package fibers

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
)

// held is a stage on which hold() keeps the owner of an island inside a time slice until release().
// first() and last() post functions to it, which run before and after the commands in between.
func held(t *testing.T, first, last func(isl *Host)) *stage {
	gate := make(chan struct{})
	var isl *Host
	cfg := realTime(0)
	cfg.Islands = func(h *Host) {
		isl = h
		L := h.State().Base()
		L.SetGlobal("hold", L.NewFunction(func(*glua.LState) int { <-gate; return 0 }))
	}
	s := set(t, cfg)
	post := func(do func(isl *Host)) glua.LGFunction {
		return func(*glua.LState) int {
			if do != nil {
				require.NoError(t, isl.Runtime().Scheduler().Inbox().Do(func() { do(isl) }))
			}
			return 0
		}
	}
	s.global("first", post(first))
	s.global("last", post(last))
	s.global("release", func(*glua.LState) int { close(gate); return 0 })
	return s
}

// newest is the fiber that was spawned last, before its first time slice.
func newest(h *Host) (last fiber.ID) {
	for id := range h.Runtime().Scheduler().Inspect().Ready() {
		last = id.ID()
	}
	return last
}

// A join of a task of another island returns, whatever ends the task and however early.
func TestATaskOfAnIslandThatEndsBeforeItsFirstSliceIsOver(t *testing.T) {
	why := errors.New("out of the way")
	killAll := func(isl *Host) { isl.Runtime().Scheduler().Steps().KillAll(why) }
	shutDown := func(isl *Host) {
		isle := isl.islands.isle
		require.NoError(t, isle.Post(island.Shutdown(isle.Address(), why.Error())))
	}
	for name, story := range map[string]struct {
		first, last func(isl *Host)
		prints      string
	}{
		"it is killed": {last: func(isl *Host) {
			require.NoError(t, isl.Runtime().Scheduler().Kill(newest(isl), why))
		}, prints: "killed.*out of the way"},
		"it is cancelled": {last: func(isl *Host) {
			require.NoError(t, isl.Runtime().Scheduler().Cancel(newest(isl), why))
		}, prints: "cancelled: out of the way"},
		"all of the island are killed":             {last: killAll, prints: "out of the way"},
		"the island is shut down":                  {last: shutDown, prints: "killed"},
		"the island was shut down before":          {first: shutDown, prints: "killed"},
		"the island has left before it was there":  {first: func(isl *Host) { isl.islands.isle.Leave(why) }, prints: "the island has ended"},
		"the island leaves while it has no result": {last: func(isl *Host) { isl.islands.isle.Leave(why) }, prints: "the island has ended"},
	} {
		t.Run(name, func(t *testing.T) {
			s := held(t, story.first, story.last)
			_, err := s.Run(s.ctx, strings.NewReader(`
				local p = fiber.port()
				local isl = fiber.island()
				isl:spawn(function(out) out:send("holds") hold() end, p)
				p:recv()
				first()
				local task = isl:spawn(function() return "it has run" end)
				last()
				release()
				print(task:join())`), "test.lua")
			require.NoError(t, err)
			require.Regexp(t, "^false\t.*"+story.prints, s.out.String())
		})
	}
}

func TestASpawnOnAnIslandThatHasEndedIsRefused(t *testing.T) {
	s := set(t, realTime(0))
	s.global("finish", func(L *glua.LState) int {
		isl := L.CheckUserData(1).Value.(*object[*islandHandle]).of
		isl.stop(errors.New("the end"))
		<-isl.done
		return 0
	})
	_, err := s.Run(s.ctx, strings.NewReader(`
		local isl = fiber.island("north")
		finish(isl)
		print(pcall(isl.spawn, isl, function() end))`), "test.lua")
	require.NoError(t, err)
	require.Equal(t, "false\ttest.lua:4: spawn: north: the island has ended\n", s.out.String())
}

// A task owns the fiber on the other island, even if the task never ran.
func TestATaskThatIsKilledBeforeItRunsTakesItsIslandsFiberAlong(t *testing.T) {
	cfg := realTime(0)
	cfg.Islands = func(h *Host) {
		L := h.State().Base()
		L.SetGlobal("live", L.NewFunction(func(L *glua.LState) int {
			L.Push(glua.LNumber(h.Runtime().Scheduler().Inspect().Live()))
			return 1
		}))
	}
	s := set(t, cfg)
	s.global("kill", func(*glua.LState) int {
		require.NoError(t, s.Runtime().Scheduler().Kill(newest(s.Host), errors.New("out of the way")))
		return 0
	})
	_, err := s.Run(s.ctx, strings.NewReader(`
		local isl = fiber.island()
		local task = isl:spawn(function() fiber.sleep(1e6) end)
		kill()
		print(task:join())
		local alone = false
		for i = 1, 1000 do
			alone = alone or select(2, isl:spawn(function() return live() == 1 end):join())
		end
		print(alone)`), "test.lua")
	require.NoError(t, err)
	require.Regexp(t, "^false\t.*killed.*out of the way\ntrue\n$", s.out.String())
}
