package lua_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/profile"
)

func TestASliceOfABusyFiberAllocatesNothing(t *testing.T) {
	for name, config := range settings() {
		t.Run(name, func(t *testing.T) {
			if config.Profile != nil { // a sample allocates, the time between two does not
				config.Profile = profile.Start(profile.Config{Interval: -1})
			}
			d := newDriver(t, config, 100)
			d.start(t, `local i = 0 while true do i = i + 1; if i > 100 then i = 0 end end`)
			d.ready = append(make([]*turn, 0, 100_000), d.ready...) // the test's own queue
			require.Zero(t, testing.AllocsPerRun(1000, func() { d.step() }))
		})
	}
}
