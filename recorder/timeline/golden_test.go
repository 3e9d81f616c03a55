package timeline_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/timelinetest"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/recorder/timeline"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

var rewrite = flag.Bool("rewrite", false, "write the timeline into testdata instead of comparing it; read the difference before you commit it")

// known is a program of fibers whose instants, in nanoseconds, places and functions the test decides.
type known struct {
	*scheduler.Scheduler[string]
	t     *testing.T
	text  strings.Builder
	w     *timeline.Writer
	r     *recorder.Recorder
	now   int64
	place string
	in    map[string]string // by the name of a fiber: the function that it is in
}

func newKnown(t *testing.T) *known {
	k := &known{t: t}
	k.w = timeline.New(&k.text)
	k.r = recorder.New(recorder.Config{Exact: true, Each: k.w.Event, Clock: func() int64 { return k.now }, Function: k.function})
	cfg := scheduler.Config{Site: func(fiber.RegularID) string { return k.place }}
	k.r.Configure(&cfg)
	k.Scheduler = scheduler.New[string](cfg)
	k.r.Attach(&k.Core)
	return k
}

func (k *known) function(id fiber.RegularID) string {
	f, alive := k.Fiber(id)
	require.True(k.t, alive)
	return k.in[f.Data]
}

func (k *known) spawn(name string) fiber.ID {
	k.t.Helper()
	id, err := k.SpawnWith(name, scheduler.Options{Name: name})
	require.NoError(k.t, err)
	return id.ID()
}

// slice runs the next fiber for a time. It begins a microsecond after what was before.
func (k *known) slice(name string, took int64, place string, do func()) {
	k.t.Helper()
	k.now += 1_000
	k.Poll()
	f := k.ScheduleNext()
	require.NotNil(k.t, f)
	require.Equal(k.t, name, f.Data)
	k.now += took
	k.place = place
	do()
	k.Steps().DrainCommands() // ends the turn
}

func (k *known) close() *timelinetest.Timeline {
	k.t.Helper()
	k.r.Flush()
	require.NoError(k.t, k.w.Close())
	line, err := timelinetest.Check(k.text.String())
	require.NoError(k.t, err, k.text.String())
	return line
}

func TestTheTimelineOfAKnownProgram(t *testing.T) {
	k := newKnown(t)
	k.in = map[string]string{"reader": "read", "writer": "write \xff"}
	jobs := wait.NewChan[int](0)
	jobs.SetName("jobs")
	k.spawn("reader")
	k.slice("reader", 2_500, "p.x:1", func() {
		ticket := k.ArmOn(jobs.Source())
		require.NoError(t, jobs.ParkRecv(ticket, 0))
		k.Block()
	})
	k.spawn("writer")
	k.slice("writer", 7_001, "p.x:9", func() {
		ok, woken, _ := jobs.TrySend(1)
		require.True(t, ok)
		k.Apply(woken)
		k.spawn("late \xff\"")
		k.YieldCurrent()
	})
	k.slice("reader", 10, "p.x:2", func() { k.Claim(); k.KillCurrent() })
	k.slice("late \xff\"", 999, "p.x:5", func() { k.Arm(fiber.Until(2_000_000_000)); k.Block() })
	k.w.Virtual(15_000, 1_500_000_000)
	k.slice("writer", 100, "p.x:10", func() { k.KillCurrent() })
	k.close()

	const golden = "testdata/known.json"
	if *rewrite {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(k.text.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), k.text.String())
}

func TestASliceIsNamedByTheFunctionThenByThePlace(t *testing.T) {
	k := newKnown(t)
	k.in = map[string]string{"first": "begins here"}
	k.spawn("first")
	k.slice("first", 5, "", func() { k.KillCurrent() })
	k.spawn("second")
	k.slice("second", 5, "", k.YieldCurrent)
	k.slice("second", 5, "p.x:1", k.YieldCurrent)
	k.in["second"] = "f"
	k.slice("second", 5, "p.x:2", func() { _, _ = k.BlockForQueue() })
	line := k.close()
	names := []string{}
	for _, e := range append(line.Of(1, "slice"), line.Of(2, "slice")...) {
		names = append(names, e.Name+", at "+e.Arg("place"))
	}
	require.Equal(t, []string{"begins here, at ", "runs, at ", "p.x:1, at p.x:1", "f, at p.x:2"}, names)
	require.Equal(t, "f", line.Of(2, "wait")[0].Arg("function"))
}

func TestTheNextFiberOfASlotHasATrackOfItsOwn(t *testing.T) {
	k := newKnown(t)
	first := k.spawn("first")
	k.slice("first", 5, "", func() { k.KillCurrent() })
	second := k.spawn("second")
	k.slice("second", 5, "", k.YieldCurrent)
	require.Equal(t, first.Index(), second.Index())
	line := k.close()
	require.Equal(t, []string{"first " + first.String(), "second " + second.String()}, line.Titles())
	require.Len(t, line.Of(1, "slice"), 1)
	require.Len(t, line.Of(2, "slice"), 1)
}

func TestAFiberThatMovesAwayAndBackHasTwoTracks(t *testing.T) {
	k := newKnown(t)
	id, err := k.SpawnWith("wanders", scheduler.Options{Name: "wanders", Movable: true})
	require.NoError(t, err)
	k.slice("wanders", 5, "", k.YieldCurrent)
	moved, err := k.Moves().MoveOut(id)
	require.NoError(t, err)
	back, err := k.Moves().MoveIn(moved)
	require.NoError(t, err)
	k.slice("wanders", 5, "", k.YieldCurrent)
	line := k.close()
	require.Equal(t, []string{"wanders " + id.String(), "wanders " + back.String()}, line.Titles())
	for number := range line.Titles() {
		require.Len(t, line.Of(number+1, "slice"), 1)
	}
	require.Contains(t, k.text.String(), `"name":"moves away"`)
}

func TestAFiberThatIsKilledWhileItWaitsHasTheWaitAndTheKill(t *testing.T) {
	k := newKnown(t)
	id := k.spawn("waits")
	k.slice("waits", 5, "", func() { _, _ = k.BlockForQueue() })
	k.now += 100
	require.NoError(t, k.Kill(id, nil))
	k.Poll()
	line := k.close()
	require.Len(t, line.Of(1, "wait"), 1)
	require.Equal(t, timelinetest.Instant(100), line.Of(1, "wait")[0].Took)
	require.Contains(t, k.text.String(), `"name":"killed"`)
}

func TestAWaitThatHasNotEndedIsDrawnToTheEnd(t *testing.T) {
	k := newKnown(t)
	k.spawn("waits")
	k.slice("waits", 5, "", func() { _, _ = k.BlockForQueue() })
	k.spawn("other")
	k.slice("other", 50, "", func() { k.KillCurrent() })
	line := k.close()
	wait := line.Of(1, "wait")[0]
	require.Equal(t, "open", wait.Arg("end"))
	require.Equal(t, line.Of(2, "slice")[0].End(), wait.End())
}
