package fibers

import (
	"fmt"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/reactor"
)

// A process that a program has let go of, and nobody waits for, would go on for ever.
func TestAProcessIsEndedWhoseCloseIsCancelledOrKilled(t *testing.T) {
	for _, mode := range []string{"r", "w"} {
		for _, stop := range []string{"cancel", "kill"} {
			for _, early := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, %s, early %v", mode, stop, early), func(t *testing.T) {
					cfg := Config{}
					cfg.Runtime.Clock = reactor.NewWallClock()
					s := set(t, cfg)
					var process *exec.Cmd
					s.global("started", func(*glua.LState) int { process = s.processes.started[0]; return 0 })
					s.global("stop", func(L *glua.LState) int {
						end := s.Runtime().Scheduler().Cancel
						if stop == "kill" {
							end = s.Runtime().Scheduler().Kill
						}
						require.NoError(t, end(s.tasks.types.receiver(L).stack.ID(), nil))
						return 0
					})
					first, then := "", "stop(victim)"
					if early {
						first, then = "stop(fiber.self())", ""
					}
					require.NoError(t, s.try(fmt.Sprintf(`
						piped = io.popen("exec sleep 1000", %q)
						started()
						victim = fiber.spawn(function() %s piped:close() print("went on") end)
						fiber.yield() fiber.yield()
						%s
						victim:join()`, mode, first, then)))
					require.Empty(t, s.printed())
					s.Close()
					require.NotNil(t, process.ProcessState, "it goes on")
				})
			}
		}
	}
}

func TestAFileWhoseCloseIsCancelledBeforeItIsWrittenIsClosed(t *testing.T) {
	cfg := Config{}
	cfg.Runtime.Clock = reactor.NewWallClock()
	s := set(t, cfg)
	s.global("stop", func(L *glua.LState) int {
		require.NoError(t, s.Runtime().Scheduler().Cancel(s.tasks.types.receiver(L).stack.ID(), nil))
		return 0
	})
	require.NoError(t, s.try(`
		local f = io.tmpfile()
		f:setvbuf("full")
		f:write("late")
		fiber.spawn(function() stop(fiber.self()) f:close() end):join()
		print(io.type(f))`))
	require.Equal(t, "closed file\n", s.printed())
}
