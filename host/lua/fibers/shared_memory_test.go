//go:build !purego && !race && !invariants

package fibers

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/long"
)

// sharedRests are programs after which a Host of a Shared is at rest: its call has ended, or waits; and the most bytes
// of a Host then.
var sharedRests = map[string]struct {
	program string
	most    int64
}{
	"ended":   {`total = 0 for i = 1, 100 do total = total + i end`, 100_000},
	"waiting": {`fiber.chan():recv()`, 120_000},
}

func TestThousandsOfGuestsOfASharedTakeLittleMemoryEach(t *testing.T) {
	hosts := 1000
	if long.On(t) {
		hosts = 10_000
	}
	for name, rest := range sharedRests {
		t.Run(name, func(t *testing.T) {
			program := compiled(t, rest.program)
			all := make([]*Host, hosts)
			before := inUse()
			s := NewShared(SharedConfig{})
			for i := range all {
				all[i] = New(Config{On: s})
				_, err := all[i].Start(program)
				require.NoError(t, err)
			}
			require.Equal(t, name == "waiting", s.Run(context.Background()) != nil)
			each := (inUse() - before) / int64(hosts)
			for _, h := range all {
				h.Close()
			}
			s.Close()
			t.Logf("%d hosts, %d bytes each", hosts, each)
			require.LessOrEqual(t, each, rest.most)
		})
	}
}
