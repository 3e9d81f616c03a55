package inspect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
)

// known counts the steps of all fibers but one.
func known(id fiber.RegularID) (uint64, bool) { return uint64(id.Index()) * 10, id.Index() != 1 }

func TestAReportHasTheStepsThatAreCounted(t *testing.T) {
	w := newWorld(t, 3, 30)
	w.run(500)
	r := NewReport(w.s.Inspect(), "")
	r.AddSteps(nil)
	for _, f := range r.Fibers {
		require.Nil(t, f.Steps)
	}
	r.AddSteps(known)
	calls := 0
	for _, f := range r.Fibers {
		id, err := fiber.ParseID(f.ID)
		require.NoError(t, err)
		root, regular := id.Regular()
		if steps, counted := known(root); regular && counted {
			require.Equal(t, steps, *f.Steps, f.ID)
		} else {
			calls++
			require.Nil(t, f.Steps, f.ID)
		}
	}
	require.Greater(t, calls, 1, "native calls have none")
}

// A fiber whose slice another goroutine runs changes while it would be asked.
func TestTheStepsOfALentFiberAreNotAskedFor(t *testing.T) {
	r := &Report{Fibers: []Fiber{{ID: "f2.1", Lent: true}, {ID: "f3.1"}}}
	r.AddSteps(func(id fiber.RegularID) (uint64, bool) {
		require.EqualValues(t, 3, id.Index())
		return 7, true
	})
	require.Nil(t, r.Fibers[0].Steps)
	require.EqualValues(t, 7, *r.Fibers[1].Steps)
}

func TestAPageAndTheWholeReportHaveTheSteps(t *testing.T) {
	c := patient(newWorld(t, 1, 3))
	c.Steps = known
	h := New(c)
	serve(t, h, func() {
		require.EqualValues(t, 20, *fetch[Detail](t, h, "/api/v1/fibers/f2.1").Steps)
		require.Nil(t, fetch[Detail](t, h, "/api/v1/fibers/f1.1").Steps)
		require.Nil(t, fetch[Detail](t, h, "/api/v1/fibers/f9.9").Steps, "it is dead")
		report := fetch[Report](t, h, "/api/v1/report")
		require.EqualValues(t, 20, *report.Fibers[2].Steps)
	})
}
