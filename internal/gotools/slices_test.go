package gotools_test

import (
	"bytes"
	"runtime/trace"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/gotools"
	"github.com/selvage-dev/selvage/internal/gotools/gotoolstest"
)

func id(slot, generation uint32) fiber.ID { return fiber.NewRegularID(slot, generation).ID() }

func named(id fiber.ID) string { return "name of " + id.String() }

func TestAGoroutineHasTheLabelsOfItsFiberUntilTheyAreTakenAway(t *testing.T) {
	s := gotools.New(named)
	s.Label(id(3, 1))
	require.Equal(t, []string{`{"fiber":"f3.1", "name":"name of f3.1"}`}, gotoolstest.Labels())
	s.Label(id(3, 2))
	require.Equal(t, []string{`{"fiber":"f3.2", "name":"name of f3.2"}`}, gotoolstest.Labels())
	s.Unlabel()
	require.Empty(t, gotoolstest.Labels())
	gotools.New(func(fiber.ID) string { return "" }).Label(id(0, 1))
	defer s.Unlabel()
	require.Equal(t, []string{`{"fiber":"f0.1"}`}, gotoolstest.Labels())
}

func TestTheNameOfAFiberIsAskedForOnce(t *testing.T) {
	asked := []string{}
	s := gotools.New(func(id fiber.ID) string { asked = append(asked, id.String()); return "" })
	for range 3 {
		s.Label(id(0, 1))
		s.Label(id(1, 1))
	}
	s.Unlabel()
	require.Equal(t, []string{"f0.1", "f1.1"}, asked)
}

func TestTheLabelsNameTheFunctionThatTheFiberIsIn(t *testing.T) {
	s := gotools.New(named)
	defer s.Unlabel()
	for _, function := range []string{"f", "", "g", "f"} {
		s.LabelIn(id(3, 1), function)
		want := `{"fiber":"f3.1", "name":"name of f3.1"}`
		if function != "" {
			want = `{"fiber":"f3.1", "function":"` + function + `", "name":"name of f3.1"}`
		}
		require.Equal(t, []string{want}, gotoolstest.Labels())
	}
}

func TestTheLabelsOfAFiberAndAFunctionAreMadeOnce(t *testing.T) {
	s := gotools.New(named)
	defer s.Unlabel()
	turn := func() {
		for _, function := range []string{"f", "g", "", "f"} {
			s.LabelIn(id(0, 1), function)
			s.LabelIn(id(1, 1), function)
		}
	}
	turn()
	require.Zero(t, testing.AllocsPerRun(10, turn))
	for i := range 1_000 { // the memory is bounded
		s.LabelIn(id(0, 1), strconv.Itoa(i))
	}
	turn()
	require.Zero(t, testing.AllocsPerRun(10, turn))
}

func TestSlicesNestAndEndWithoutATrace(t *testing.T) {
	s := gotools.New(named)
	s.End(true)
	s.Begin(id(0, 1))
	s.Begin(id(1, 1))
	s.End(true)
	require.True(t, s.Running())
	s.Close()
	require.False(t, s.Running())
}

// A trace may begin while a slice lasts, and end before it does.
func TestATraceMayBeginAndEndWithinASlice(t *testing.T) {
	var text bytes.Buffer
	s := gotools.New(named)
	s.Begin(id(0, 1))
	require.NoError(t, trace.Start(&text))
	s.End(false)
	s.Begin(id(1, 1))
	trace.Stop()
	s.End(true)
	s.Close()
	require.NotContains(t, text.String(), "name of f0.1", "its slice had begun before the trace")
	require.Contains(t, text.String(), "name of f1.1")
}
