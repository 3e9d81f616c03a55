package inspect_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// run spawns a fiber and runs it until the function returns, which may block it.
func run(t *testing.T, s *scheduler.Scheduler[int], o scheduler.Options, do func()) fiber.ID {
	id, err := s.SpawnWith(0, o)
	require.NoError(t, err)
	for s.Current() != id.ID() {
		if s.Current() != 0 {
			s.YieldCurrent()
		}
		if s.ScheduleNext() == nil {
			require.True(t, s.Poll())
			s.ScheduleNext()
		}
	}
	do()
	return id.ID()
}

func TestAReportHasTimersOperationsAndGroups(t *testing.T) {
	s := scheduler.New[int](scheduler.Config{})
	guest := s.Attachments().NewGroup(nil, "guest", quota.Limits{Steps: 100, Time: time.Second})
	part := s.Attachments().NewGroup(guest, "part", quota.Limits{})
	var token fiber.Token
	reader := run(t, s, scheduler.Options{Group: part}, func() {
		require.NoError(t, part.Take(quota.Steps, 9))
		token, _ = s.Ops().Submit()
		s.Ops().Describe(token, "read", "a.txt")
		s.BlockForIO(token)
	})
	var timer wait.Timer
	timer.Reset(50)
	s.Attachments().SetAlarm(timer.Alarm())
	sleeper := run(t, s, scheduler.Options{}, func() {
		s.Arm(fiber.Until(70))
		s.Block()
	})
	r := inspect.NewReport(s.Inspect(), "")
	require.Equal(t, inspect.Timers{On: 3, Next: []inspect.Timer{
		{Deadline: 50, Kind: "alarm", Object: r.Timers.Next[0].Object},
		{Deadline: 70, Kind: "wait", Fiber: sleeper.String()},
		{Deadline: 1e9, Kind: "time limit", Group: new(1)},
	}}, r.Timers)
	require.Contains(t, r.Timers.Next[0].Object, "timer")
	require.Equal(t, inspect.Operations{Awaited: 1, List: []inspect.Operation{
		{Token: fmt.Sprint(uint64(token)), Fiber: reader.String(), State: "awaited", What: "read a.txt"},
	}}, r.Operations)
	require.Equal(t, []inspect.Group{
		{Name: "part", Parent: new(1), Fibers: 1, Spent: inspect.Amounts{Steps: 9, Fibers: 1, Operations: 1}},
		{Name: "guest", Fibers: 1, Limits: inspect.Amounts{Steps: 100, Time: 1e9}, Spent: inspect.Amounts{Steps: 9, Fibers: 1, Operations: 1}},
	}, r.Groups)
	require.Equal(t, []*int{new(0), nil}, []*int{r.Fibers[0].Group, r.Fibers[1].Group})

	var text bytes.Buffer
	require.NoError(t, r.Write(&text))
	again := new(inspect.Report)
	d := json.NewDecoder(&text)
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(again))
	require.Equal(t, r, again)
}

func TestAPageBoundsTheListsAndNotTheCounts(t *testing.T) {
	s := scheduler.New[int](scheduler.Config{})
	run(t, s, scheduler.Options{}, func() {
		for range 5 {
			_, err := s.Ops().Submit()
			require.NoError(t, err)
		}
	})
	s.YieldCurrent()
	for deadline := range fiber.Time(3) {
		run(t, s, scheduler.Options{}, func() {
			s.Arm(fiber.Until(10 + deadline))
			s.Block()
		})
	}
	r := inspect.NewReportPage(s.Inspect(), "", inspect.Page{Timers: 2, Operations: 2, FirstOperation: 4})
	require.Equal(t, 5, r.Operations.Submitted)
	require.Equal(t, 4, r.Operations.First)
	require.Len(t, r.Operations.List, 1)
	require.Equal(t, 3, r.Timers.On)
	require.Len(t, r.Timers.Next, 2)

	r = inspect.NewReportPage(s.Inspect(), "", inspect.Page{Timers: -1, Operations: -1, FirstOperation: 9})
	require.Equal(t, 5, r.Operations.Submitted)
	require.Empty(t, r.Operations.List)
	require.Empty(t, r.Timers.Next)
}

func TestAFiberWhoseSliceAWorkerRunsIsLent(t *testing.T) {
	s := scheduler.New[int](scheduler.Config{})
	id := run(t, s, scheduler.Options{}, func() { s.Moves().Lend() })
	r := inspect.NewReport(s.Inspect(), "")
	require.Equal(t, []inspect.Fiber{{ID: id.String(), State: "running", Lent: true}}, r.Fibers)
}
