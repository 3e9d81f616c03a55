package islandtest

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/require"
)

// Stepped is an island whose loop is the test, one call at a time.
type Stepped struct {
	*island.Island
	*scheduler.Scheduler[int]
	T *testing.T
}

// Join makes a Stepped island that starts no probes by itself.
func Join(t *testing.T, r *island.Registry, name string) *Stepped {
	return JoinWith(t, r, nil, island.Config{Name: name, ProbeAfter: -1})
}

// JoinWith makes one with that clock and Config.
func JoinWith(t *testing.T, r *island.Registry, clock scheduler.Clock, cfg island.Config) *Stepped {
	h := &Stepped{T: t, Scheduler: scheduler.New[int](scheduler.Config{Number: r.Number(), Clock: clock})}
	var err error
	h.Island, err = r.Join(&h.Core, cfg)
	require.NoError(t, err)
	return h
}

// SpawnCurrent spawns a fiber and makes it the current one.
func (h *Stepped) SpawnCurrent() {
	_, err := h.Spawn(0)
	require.NoError(h.T, err)
	h.Poll()
	require.NotNil(h.T, h.ScheduleNext())
}

// BlockOn blocks the current fiber, or a new one, at the port.
func (h *Stepped) BlockOn(p *island.Port[int]) fiber.Ticket {
	if h.Current() == 0 {
		h.SpawnCurrent()
	}
	t := h.Arm(fiber.OnQueue(), p.Source())
	require.NoError(h.T, p.ParkRecv(t, 0))
	h.Block()
	return t
}

// CollectAndEnd has the fiber that was woken take its value and end.
func (h *Stepped) CollectAndEnd(p *island.Port[int]) {
	require.NotNil(h.T, h.ScheduleNext())
	t, _ := h.Claim()
	_, ok := p.Collect(t)
	require.True(h.T, ok)
	h.KillCurrent()
}
