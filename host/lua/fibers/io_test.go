package fibers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/wallclock"
)

// A cancelled read, at whatever time it is cancelled, does not move the position that the program
// sees.
func TestAPlaceIsCountedFromWhatTheProgramHasRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("first\n"+strings.Repeat("x", 100_000)), 0o600))
	for _, format := range []string{"*a", "*l", "50000"} {
		for _, budget := range budgets() {
			t.Run(fmt.Sprint(format, " ", budget), func(t *testing.T) {
				s := set(t, real(budget))
				s.State().Base().SetGlobal("path", lstring(path))
				s.State().Base().SetGlobal("format", lstring(format))
				s.play(`
					local broken = 0
					for patience = 0, 60 do
						local f = io.open(path, "r+")
						f:read()
						local t = fiber.spawn(function() f:read(tonumber(format) or format) end)
						for i = 1, patience do fiber.yield() end
						t:cancel("enough")
						if not t:join() then
							broken = broken + 1
							assert(f:seek() == 6, patience .. ": " .. tostring(f:seek()))
							if patience % 2 == 1 then f:write("y") assert(f:seek() == 7) f:seek("cur", -1) f:write("x") f:seek("set", 6) end
							assert(#f:read("*a") == 100000)
						end
						f:close()
					end
					print(broken > 0)`)
				require.Equal(t, "true\n", s.printed())
			})
		}
	}
}

func TestAFileWhoseCloseIsCancelledBeforeItIsWrittenIsClosed(t *testing.T) {
	cfg := Config{}
	cfg.Runtime.Clock = wallclock.New()
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
