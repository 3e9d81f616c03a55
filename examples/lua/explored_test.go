package lua_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// Examples that are small enough to be explored completely, up to the order of independent steps, and
// up to a bound of preemptions.
func TestExamplesAreExploredCompletely(t *testing.T) {
	for _, c := range []struct {
		file     string
		strategy explore.Strategy
	}{
		{"coroutines.lua", explore.Depth(1)}, {"fanin.lua", explore.Depth(1)}, {"timeouts.lua", explore.Depth(1)},
		{"coroutines.lua", explore.DPOR()}, {"fanin.lua", explore.DPOR()}, {"timeouts.lua", explore.DPOR()}, {"failfast.lua", explore.DPOR()},
	} {
		source, err := os.ReadFile(c.file)
		require.NoError(t, err)
		r, err := explore.Search(t.Context(), explore.Guest(explore.Bounds{}, func(ctx context.Context, cfg scheduler.Config, output io.Writer) error {
			config := fibers.Config{Access: sandbox.Process()}
			config.Access.Stdin, config.Access.Stdout, config.Access.Stderr = nil, output, output
			config.Access.Start, config.Access.Random = time.Time{}, nil // the same in each run
			config.Runtime.Config = cfg
			host := fibers.New(config)
			defer host.Close()
			_, err := host.Run(ctx, bytes.NewReader(source), c.file)
			return err
		}), explore.Options{Strategy: c.strategy, Runs: 20_000})
		require.NoError(t, err)
		require.Nil(t, r.Finding, c.file)
		require.NotEmpty(t, r.Complete, c.file)
		t.Logf("%s: %s were run: %d", c.file, r.Complete, r.Runs)
	}
}
