package fibers

import (
	"fmt"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/wallclock"
)

// Otherwise a process that is not waited for would never end.
func TestAProcessIsEndedWhoseCloseIsCancelledOrKilled(t *testing.T) {
	for _, mode := range []string{"r", "w"} {
		for _, stop := range []string{"cancel", "kill"} {
			for _, early := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, %s, early %v", mode, stop, early), func(t *testing.T) {
					cfg := Config{}
					cfg.Runtime.Clock = wallclock.New()
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

func TestAProcessAtTheOtherEndOfAPipeBlocksItsFiberOnly(t *testing.T) {
	desk(t, `
		local p = io.popen("echo one; echo two; exit 3")
		print(p:read(), io.type(p))
		for line in p:lines() do print(line) end
		print(p:close(), io.type(p))
		p = io.popen("cat >" .. dir .. "/copy", "w")
		p:write("to the process")
		print(p:close(), fs.read(dir .. "/copy"))
		print(pcall(io.popen, "true", "x"))
		io.popen("exec sleep 1000") -- is killed in the end`,
		"one\tfile\ntwo\n3\tclosed file\n0\tto the process\n"+
			"false\tp.lua:9: bad argument #2 to (anonymous) (invalid mode x; want \"r\" or \"w\")\n")
}

// The process writes when the other fiber says so. A cancellation kills it.
func TestWaitingForAProcessBlocksItsFiberOnly(t *testing.T) {
	outdoors(t, `
		local gate = os.tmpname()
		os.remove(gate)
		local p = io.popen("until test -e " .. gate .. "; do :; done; echo opened")
		local reading = fiber.spawn(function() return p:read() end)
		fiber.sleep(0.001)
		print(reading:status(), io.open(gate, "w"):close())
		print(reading:join())
		print(p:close())
		os.remove(gate)
		local endless = io.popen("exec sleep 1000", "w")
		local closing = fiber.spawn(endless.close, endless)
		fiber.sleep(0.001)
		closing:cancel("enough")
		print(closing:join())`,
		"blocked\ttrue\ntrue\topened\n0\nfalse\tcancelled: enough\n")
}
