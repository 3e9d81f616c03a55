package timeline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/timelinetest"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/recorder/internal/programs"
	"github.com/selvage-dev/selvage/recorder/timeline"
	"github.com/selvage-dev/selvage/scheduler"
)

// observed counts the fibers in each state by the transitions that an observer receives.
type observed struct {
	states map[fiber.ID]fiber.State
	counts []timelinetest.Counts // at the end of each slice, whose fiber still runs
	wakes  int                   // by fibers, of those that ran again
	woken  map[fiber.ID]bool
	core   *scheduler.Core
}

func (o *observed) observe(x scheduler.Transition) {
	switch op := x.Op.String(); op {
	case "Spawn":
		o.states[x.ID] = fiber.Runnable
		o.woken[x.ID] = o.core.Current() != 0
	case "ScheduleNext":
		if o.states[x.ID] = fiber.Running; o.woken[x.ID] {
			o.wakes++
		}
		delete(o.woken, x.ID)
	case "YieldCurrent":
		o.count()
		o.states[x.ID] = fiber.Runnable
	case "Exit":
		o.count()
		o.states[x.ID] = fiber.Dead
	case "reap":
		o.states[x.ID] = fiber.Dead
	case "Block":
		if x.Answer == scheduler.Parked.String() {
			o.count()
			o.states[x.ID] = fiber.Blocked
		}
	default:
		if x.Answer == "woken" || op == "expire" {
			o.states[x.ID] = fiber.Runnable
			o.woken[x.ID] = o.core.Current() != 0
		}
	}
}

func (o *observed) count() {
	n := timelinetest.Counts{}
	for _, state := range o.states {
		switch state {
		case fiber.Runnable:
			n.Ready++
		case fiber.Blocked:
			n.Blocked++
		case fiber.Running:
			n.Running++
		}
	}
	o.counts = append(o.counts, n)
}

// watched runs a random program with an observer.
func watched(t *testing.T, seed uint64) *observed {
	t.Helper()
	o := &observed{states: map[fiber.ID]fiber.State{}, woken: map[fiber.ID]bool{}}
	require.NoError(t, programs.Run(seed, scheduler.Config{OneByOne: true, Observer: o.observe}, func(c *scheduler.Core) { o.core = c }))
	return o
}

// drawn is the timeline of the same program, with a clock that is at another instant each time. Its fibers are in the
// functions that in tells.
func drawn(t *testing.T, seed uint64, in func(fiber.RegularID) string) string {
	t.Helper()
	var b strings.Builder
	w := timeline.New(&b)
	now := int64(0)
	r := recorder.New(recorder.Config{Exact: true, Each: w.Event, Clock: func() int64 { now += 7; return now }, Function: in})
	cfg := scheduler.Config{}
	r.Configure(&cfg)
	require.NoError(t, programs.Run(seed, cfg, r.Attach))
	r.Flush()
	require.NoError(t, w.Close())
	return b.String()
}

func TestTheTimelineOfAnyProgramObeysTheRules(t *testing.T) {
	for seed := range uint64(100) {
		truth := watched(t, seed)
		line, err := timelinetest.Check(drawn(t, seed, nil))
		require.NoError(t, err, "seed %d", seed)
		require.Len(t, line.Titles(), len(truth.states))
		arrows := 0
		for _, e := range line.Events {
			if e.Phase == "s" {
				arrows++
			}
		}
		require.Equal(t, truth.wakes, arrows, "seed %d: each fiber that another one woke or spawned has an arrow", seed)
		require.Equal(t, truth.counts, inSlices(line), "seed %d", seed)
	}
}

// inSlices are the counters that hold while each slice lasts. Its wake-ups are counted where it begins.
func inSlices(line *timelinetest.Timeline) (all []timelinetest.Counts) {
	at := map[timelinetest.Instant]timelinetest.Counts{}
	for _, c := range line.Counters() {
		at[c.At] = c
	}
	for _, e := range line.Events {
		if e.Process == timelinetest.Scheduler && e.Phase == "X" {
			c := at[e.At]
			c.At = 0
			all = append(all, c)
		}
	}
	return all
}

func TestEverySliceAndWaitIsOfAFunctionIfTheGuestTellsThem(t *testing.T) {
	for seed := range uint64(20) {
		asked, last := 0, map[fiber.RegularID]string{}
		line, err := timelinetest.Check(drawn(t, seed, func(id fiber.RegularID) string {
			asked++
			last[id] = fmt.Sprint("function ", asked, " of ", id.ID())
			return last[id]
		}))
		require.NoError(t, err, "seed %d", seed)
		for number, title := range line.Titles() {
			for _, e := range line.Of(number+1, "slice") {
				require.True(t, strings.HasSuffix(title, e.Name[strings.LastIndex(e.Name, " ")+1:]), "%s runs in %s", title, e.Name)
			}
			for _, e := range line.Of(number+1, "wait") {
				require.NotEmpty(t, e.Arg("function"))
			}
		}
		for id, name := range last {
			require.Contains(t, names(line), name, "%v", id)
		}
	}
}

// names are those of all slices.
func names(line *timelinetest.Timeline) (all []string) {
	for number := range line.Titles() {
		for _, e := range line.Of(number+1, "slice") {
			all = append(all, e.Name)
		}
	}
	return all
}

func TestTheSlicesOfAFiberAreThoseItHad(t *testing.T) {
	line, err := timelinetest.Check(drawn(t, 3, nil))
	require.NoError(t, err)
	of := map[string]time.Duration{}
	for number, title := range line.Titles() {
		for _, x := range line.Of(number+1, "slice") {
			of[title] += time.Duration(x.Took)
		}
	}
	for _, e := range line.Events {
		if e.Process == timelinetest.Scheduler && e.Phase == "X" {
			of[e.Name] -= time.Duration(e.Took)
		}
	}
	for title, rest := range of {
		require.Zero(t, rest, "%s on the track of the worker", title)
	}
}
