package fibers

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Opening and reading a named pipe wait for the other end. Closing it wakes the reader.
func TestANamedPipeBlocksItsFiberOnly(t *testing.T) {
	for _, budget := range budgets() {
		s := set(t, real(budget))
		path := filepath.Join(t.TempDir(), "pipe")
		require.NoError(t, syscall.Mkfifo(path, 0o600))
		s.State().Base().SetGlobal("path", lstring(path))
		s.play(`
			local function waits(f) -- it may run between two waits, so no count of yields will do
				repeat fiber.sleep(0.001) until f:status() == "blocked"
				return f:status()
			end
			local opening = fiber.spawn(io.open, path)
			print(waits(opening))
			local w = io.open(path, "w")
			local _, r = opening:join()
			local reading = fiber.spawn(function() return r:read() end)
			print(waits(reading))
			w:write("a line\nhalf")
			print(reading:join())
			local all = fiber.spawn(function() return r:read("*a") end)
			print(waits(all), r:close())
			print(select(3, all:join()):match("file already closed"))
			w:close()`)
		require.Equal(t, "blocked\nblocked\ntrue\ta line\nblocked\ttrue\nfile already closed\n", s.printed())
	}
}
