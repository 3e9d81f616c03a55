package scheduler

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

func TestARefusedWakeNamesTheFiberAndItsState(t *testing.T) {
	g := newTestScheduler(t, Config{})
	ready := g.spawnReady(Options{})
	e := refusal(func() { g.Wake(ready.ID()) })
	require.ErrorContains(t, e, "f0.1 is runnable: ")
	g.next()
	e = refusal(func() { g.Wake(ready.ID()) })
	require.ErrorContains(t, e, "f0.1 is running: ")
	g.KillCurrent()
	e = refusal(func() { g.Wake(ready.ID()) })
	require.ErrorContains(t, e, "f0.1 is gone: ")
	require.Equal(t, rule.I3, e.Rule)
}

func TestADeliveryWithACodeOfTheSchedulerBreaksTheRuleOfArguments(t *testing.T) {
	g := newTestScheduler(t, Config{})
	ticket := g.spawnBlocked(Options{}, fiber.OnQueue())
	for _, code := range []fiber.Code{fiber.Pending, fiber.TimedOut, fiber.Cancelled, fiber.Killed, fiber.Killed + 1, 255} {
		e := refusal(func() { g.Deliver(ticket, fiber.Result{Code: code}) })
		require.Equal(t, rule.ValidArgument, e.Rule)
		require.ErrorContains(t, e, "not "+code.String())
	}
	require.Equal(t, "gone", fiber.Gone.String())
}
