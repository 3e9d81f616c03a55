//go:build !invariants

package island_test

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
)

func TestPortsAndCommandsDoNotAllocate(t *testing.T) {
	r := new(island.Registry)
	a, b := islandtest.Join(t, r, "a"), islandtest.Join(t, r, "b")
	p, err := island.Open[int](a.Island, "p", 8)
	require.NoError(t, err)
	s, err := island.Dial[int](b.Island, "p")
	require.NoError(t, err)
	wake := island.Wake(a.Address(), fiber.Ticket{ID: fiber.NewRegularID(0, 1).ID(), Seq: fiber.NewSeq(a.Inspect().Number(), 1)}, fiber.Result{Code: fiber.OK})
	b.SpawnCurrent()
	most := map[string]float64{"a refused wake": 1} // its error
	for name, cross := range map[string]func(){
		"a value through a port": func() {
			ok, err := s.TrySend(1)
			a.Poll()
			_, status := p.TryRecv()
			if !ok || err != nil || status != wait.Received {
				t.Fatal(ok, err, status)
			}
		},
		"a receiver that waits": func() {
			if a.Current() == 0 {
				a.SpawnCurrent()
			}
			ticket := a.ArmOn(p.Source())
			if p.ParkRecv(ticket, 0) != nil {
				t.Fatal("it would not wait")
			}
			a.Block()
			_, _ = s.TrySend(1)
			a.Poll()
			a.ScheduleNext()
			a.Claim()
			if _, ok := p.Collect(ticket); !ok {
				t.Fatal("no value")
			}
			a.YieldCurrent()
			a.Poll()
			a.ScheduleNext()
		},
		"a refused wake": func() {
			if a.Current() != 0 {
				a.YieldCurrent()
			}
			if a.Post(wake) != nil {
				t.Fatal("not sent")
			}
			a.Poll()
		},
	} {
		cross()
		if n := testing.AllocsPerRun(100, cross); n > most[name] {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
