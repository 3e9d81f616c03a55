//go:build !purego

package fibers_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/profile"
	"github.com/selvage-dev/selvage/sandbox"
)

// course is what a run in virtual time has done.
type course struct {
	out, end           string
	steps, transitions int64
}

func courseOf(t *testing.T, name, program string, budget int, p *profile.Profile) (c course) {
	t.Helper()
	var out bytes.Buffer
	cfg := fibers.Config{Access: sandbox.Access{Stdout: &out, Stderr: &out}}
	cfg.Runtime.Budget, cfg.Lua.Profile = budget, p
	h := fibers.New(cfg)
	defer h.Close()
	if _, err := h.Run(long.Context(t), strings.NewReader(program), name); err != nil {
		c.end = err.Error()
	}
	c.out, c.steps, c.transitions = out.String(), h.Spent().Steps, int64(h.Runtime().Scheduler().Inspect().Transitions())
	return c
}

func TestAProfileDoesNotChangeWhatAProgramDoes(t *testing.T) {
	for _, name := range []string{"coroutines", "deadlock", "failfast", "failure", "fanin", "pingpong", "pipeline", "scatter", "sieve", "timeouts", "workers"} {
		t.Run(name, func(t *testing.T) {
			program, err := os.ReadFile(filepath.Join("../../../examples/lua", name+".lua"))
			require.NoError(t, err)
			for _, budget := range []int{0, 7} {
				want := courseOf(t, name, string(program), budget, nil)
				for _, how := range []profile.Config{{Steps: 1}, {Interval: 1000}} {
					p := profile.Start(how)
					require.Equal(t, want, courseOf(t, name, string(program), budget, p), "budget %d", budget)
					p.Stop()
					require.NoError(t, p.Copy().CheckValid())
				}
			}
		})
	}
}
