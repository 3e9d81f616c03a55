package fibers_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/internal/gotools/gotoolstest"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// labeling is an output that notes the labels of the goroutines at each write.
type labeling struct{ seen [][]string }

func (l *labeling) Write(p []byte) (int, error) {
	l.seen = append(l.seen, gotoolstest.Labels())
	return len(p), nil
}

// The coroutines of one fiber have ended when those of the next begin.
func TestGoToolsSeeTheFiberOnTheGoroutinesOfItsCoroutines(t *testing.T) {
	out := &labeling{}
	h := fibers.New(fibers.Config{
		Runtime: stackful.Config{Config: scheduler.Config{GoTools: true}}, Access: sandbox.Access{Stdout: out},
	})
	defer h.Close()
	_, err := h.Run(t.Context(), strings.NewReader(`
		local function work() coroutine.wrap(function() print("in a coroutine") end)() end
		for _, name in ipairs{ "first", "second" } do
			local t = fiber.spawn(work)
			t:name(name)
			t:join()
		end`), "p.lua")
	require.NoError(t, err)
	main := `{"fiber":"f0.1", "function":"main chunk", "name":"main"}`
	require.Equal(t, [][]string{
		{main, `{"fiber":"f1.1", "function":"<p.lua:2>", "name":"first"}`},
		{main, `{"fiber":"f1.2", "function":"<p.lua:2>", "name":"second"}`},
	}, out.seen)
}
