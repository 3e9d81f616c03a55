package fibers

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/sandbox"
)

// The only worker is busy until the program calls let_go.
func TestCallsAboutFilesHaveTimeouts(t *testing.T) {
	for _, budget := range budgets() {
		s := set(t, real(budget))
		world, err := fiberio.New(s.Runtime(), fiberio.Config{IOWorkers: 1, Access: sandbox.Process()})
		require.NoError(t, err)
		s.external.made = world
		gate := make(chan struct{})
		s.global("busy", func(L *glua.LState) int {
			c := s.env.begin(L)
			_, err := fiberio.Do(world, c.fiber, fiber.Never, func(context.Context) (any, error) { <-gate; return nil, nil })
			c.check(err)
			return 0
		})
		s.global("let_go", func(*glua.LState) int { close(gate); return 0 })
		s.State().Base().SetGlobal("path", lstring(filepath.Join(t.TempDir(), "file")))
		s.play(`
			local busy = fiber.spawn(busy)
			fiber.yield()
			print(fs.read(path, 0.001))
			print(fs.write(path, "never written", 0.001))
			print(fs.list(".", 0.001))
			print(fs.stat(path, 0.001))
			let_go()
			busy:join()
			print(pcall(fs.stat, path))
			print(fs.write(path, "text", 60), fs.read(path, 60), fs.stat(path, 60).size)`)
		require.Regexp(t, `^(nil\ttimeout\n){4}false\tp.lua:10: stat .*: no such file or directory\ntrue\ttext\t4\n$`, s.printed())
	}
}
