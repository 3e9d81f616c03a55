package recorder_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/scheduler"
)

// clocked is a scheduler with an exact recorder, whose clock the test sets.
type clocked struct {
	*scheduler.Scheduler[int]
	*recorder.Recorder
	t   *testing.T
	now int64
}

func newClocked(t *testing.T, exact bool) *clocked {
	c := &clocked{t: t}
	c.Recorder = recorder.New(recorder.Config{Accounts: true, Exact: exact, Clock: func() int64 { return c.now }})
	cfg := scheduler.Config{}
	c.Configure(&cfg)
	c.Scheduler = scheduler.New[int](cfg)
	c.Attach(&c.Core)
	return c
}

// slice runs the next fiber for a time.
func (c *clocked) slice(took int64, do func()) fiber.ID {
	c.t.Helper()
	f := c.ScheduleNext()
	if f == nil {
		c.Poll()
		f = c.ScheduleNext()
	}
	require.NotNil(c.t, f)
	id := c.Current()
	c.now += took
	do()
	c.Poll()
	return id
}

func (c *clocked) spawn() { _, _ = c.Spawn(0) } // there is room

func (c *clocked) account(id fiber.ID) recorder.Account {
	c.t.Helper()
	c.Flush()
	a, ok := c.Account(id)
	require.True(c.t, ok)
	return a
}

func TestAnAccountHasTheSlicesTheTimeAndTheParent(t *testing.T) {
	c := newClocked(t, true)
	c.spawn()
	var second fiber.ID
	first := c.slice(100, func() {
		id, _ := c.Spawn(0)
		second = id.ID()
		c.YieldCurrent()
	})
	assert.Equal(t, second, c.slice(30, c.YieldCurrent))
	assert.Equal(t, first, c.slice(7, c.YieldCurrent))
	assert.Equal(t, recorder.Account{Since: 137, Busy: 107, Slices: 2}, c.account(first))
	assert.Equal(t, recorder.Account{Parent: first, Since: 130, Busy: 30, Slices: 1}, c.account(second))
}

func TestAWaitIsNoTimeOfTheFiber(t *testing.T) {
	for _, exact := range []bool{false, true} {
		c := newClocked(t, exact)
		c.spawn()
		var ticket fiber.Ticket
		id := c.slice(3, func() { ticket, _ = c.BlockForQueue() })
		assert.Equal(t, recorder.Account{Since: 3, Busy: 3, Slices: 1}, c.account(id))
		c.now += 1_000
		c.Deliver(ticket, fiber.Result{Code: fiber.OK})
		c.Poll()
		c.slice(5, c.YieldCurrent)
		assert.Equal(t, recorder.Account{Since: 1008, Busy: 8, Slices: 2}, c.account(id))
	}
}

func TestTheNextFiberOfASlotHasAnAccountOfItsOwn(t *testing.T) {
	c := newClocked(t, true)
	c.spawn()
	first := c.slice(100, func() { c.KillCurrent() })
	c.Flush()
	_, ok := c.Account(first)
	assert.False(t, ok, "it has ended")
	c.now += 50
	c.spawn()
	second := c.slice(1, c.YieldCurrent)
	require.Equal(t, first.Index(), second.Index())
	assert.Equal(t, recorder.Account{Since: 151, Busy: 1, Slices: 1}, c.account(second))
	_, ok = c.Account(first)
	assert.False(t, ok)
}

// Fibers that are ready wait for those before them.
func TestWakesHasHowLongFibersWereReady(t *testing.T) {
	c := newClocked(t, true)
	for range 3 {
		c.spawn()
	}
	for range 3 {
		c.slice(1_000, func() { c.KillCurrent() })
	}
	c.Flush()
	wakes, slices, _ := c.Histograms()
	assert.Equal(t, time.Duration(0+1_000+2_000), wakes.Sum)
	assert.Equal(t, []uint64{1, 1, 1}, []uint64{wakes.Counts[0], wakes.Counts[10], wakes.Counts[11]})
	assert.Equal(t, uint64(3), slices.Count())
	assert.Equal(t, uint64(3), slices.Counts[10])
}

// What a slice does before its end belongs to it, however much it does.
func TestTheParentIsKnownOfManyFibersOfOneSlice(t *testing.T) {
	c := newClocked(t, false)
	c.spawn()
	var children []fiber.ID
	parent := c.slice(1, func() {
		for range 50_000 {
			id, err := c.Spawn(0)
			require.NoError(t, err)
			children = append(children, id.ID())
		}
		c.BlockForQueue()
	})
	c.Flush()
	for _, id := range children {
		a, _ := c.Account(id)
		require.Equal(t, parent, a.Parent, id)
	}
}

// A slice that does more than the history holds, or at which a part of the memory is full, is still one.
func TestASliceHasItsWholeTimeWhereverTheMemoryIsFull(t *testing.T) {
	c := newClocked(t, true)
	c.spawn()
	first := c.slice(5, func() {
		for range 10_000 {
			c.now++
			c.spawn()
		}
		c.BlockForQueue()
	})
	assert.Equal(t, recorder.Account{Since: 10_005, Busy: 10_005, Slices: 1}, c.account(first))
	for range 10_000 {
		id := c.slice(3, func() { c.KillCurrent() })
		require.NotEqual(t, first, id)
	}
	c.Flush()
	_, slices, _ := c.Histograms()
	assert.Equal(t, uint64(10_001), slices.Count())
	assert.Equal(t, time.Duration(10_005+3*10_000), slices.Sum)
}

func TestTheEventsOfALongSliceAreInTheOrderOfTime(t *testing.T) {
	var events []recorder.Event
	c := &clocked{t: t}
	c.Recorder = recorder.New(recorder.Config{Accounts: true, Exact: true, Clock: func() int64 { return c.now }, Each: func(e *recorder.Event) { events = append(events, *e) }})
	cfg := scheduler.Config{}
	c.Configure(&cfg)
	c.Scheduler = scheduler.New[int](cfg)
	c.Attach(&c.Core)
	c.spawn()
	id := c.slice(0, func() {
		for range 10_000 {
			c.now++
			c.spawn()
		}
		c.BlockForQueue()
	})
	c.Flush()
	require.Len(t, events, 10_002)
	for i, e := range events[1:] {
		require.GreaterOrEqual(t, e.At, events[i].At)
	}
	last := events[len(events)-1]
	assert.Equal(t, []any{id, time.Duration(0), time.Duration(10_000)}, []any{last.ID, last.Began, last.At})
}
