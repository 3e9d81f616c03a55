package timeline_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
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

// later is how long after the first scheduler the recording of each other one begins.
const later = 1_000

// record runs a random program on a scheduler of a timeline, with the clock of drawn.
func record(seed uint64, each func(*recorder.Event)) error {
	now := int64(0)
	r := recorder.New(recorder.Config{Exact: true, Each: each, Clock: func() int64 { now += 7; return now }})
	cfg := scheduler.Config{}
	r.Configure(&cfg)
	err := programs.Run(seed, cfg, r.Attach)
	r.Flush()
	return err
}

// together is the timeline of n programs that run at once, with the seeds from seed on.
func together(t *testing.T, seed uint64, n int) string {
	t.Helper()
	var b strings.Builder
	w := timeline.New(&b)
	errs := make([]error, n)
	var ran sync.WaitGroup
	ran.Go(func() { errs[0] = record(seed, w.Event) })
	for i := 1; i < n; i++ {
		p := w.Part(fmt.Sprint("part ", i), time.Duration(i)*later)
		ran.Go(func() {
			defer p.Close()
			errs[i] = record(seed+uint64(i), p.Event)
		})
	}
	ran.Wait()
	require.Equal(t, make([]error, n), errs)
	require.NoError(t, w.Close())
	return b.String()
}

// ofFirst are the lines of the first scheduler.
var ofFirst = regexp.MustCompile(`(?m)^\{"ph":".","pid":[12],.*\}`)

func TestSchedulersThatRunAtOnceAreWholeInOneTimeline(t *testing.T) {
	for seed := range uint64(10) {
		text := together(t, seed, 3)
		parts, err := timelinetest.CheckParts(text)
		require.NoError(t, err, "seed %d", seed)
		require.Len(t, parts, 3)
		alone := drawn(t, seed, nil)
		require.Equal(t, ofFirst.FindAllString(alone, -1), ofFirst.FindAllString(text, -1), "seed %d: the first is as if it were alone", seed)
		for i, p := range parts {
			want, err := timelinetest.Check(drawn(t, seed+uint64(i), nil))
			require.NoError(t, err)
			require.Equal(t, moved(want, i), eventsOf(p), "seed %d, part %d", seed, i)
		}
	}
}

// eventsOf are the events of a scheduler but the names of its processes, and with numbers of arrows from 1.
func eventsOf(line *timelinetest.Timeline) (all []timelinetest.Event) {
	for _, e := range line.Events {
		if e.Name != "process_name" {
			e.ID &= 1<<32 - 1
			all = append(all, e)
		}
	}
	return all
}

// moved are those of a timeline of its own as they are in that of part i.
func moved(line *timelinetest.Timeline, i int) []timelinetest.Event {
	all := eventsOf(line)
	for n := range all {
		if all[n].Phase != "M" {
			all[n].At += timelinetest.Instant(i * later)
		}
	}
	return all
}

func TestThePartsOfATimelineHaveTheNamesOfTheirSchedulers(t *testing.T) {
	var b strings.Builder
	w := timeline.New(&b)
	names := []string{"north", "", "of \xff\"", "north"}
	for i, name := range names {
		p := w.Part(name, 0)
		require.NoError(t, record(uint64(i), p.Event))
	}
	w.Part("without events", 0).Close()
	require.NoError(t, w.Close())
	events, err := timelinetest.Parse(b.String())
	require.NoError(t, err)
	var titles []string
	for _, e := range events {
		if e.Name == "process_name" {
			titles = append(titles, fmt.Sprint(e.Process, " ", e.Arg("name")))
		}
	}
	require.Equal(t, []string{
		"1 fibers", "2 scheduler", "3 fibers of north", "4 scheduler of north", "5 fibers of ", "6 scheduler of ",
		"7 fibers of of \ufffd\"", "8 scheduler of of \ufffd\"", "9 fibers of north", "10 scheduler of north",
	}, titles)
}

func TestEachPartIsWrittenInWholeEventsWhileOthersAre(t *testing.T) {
	to := &pieces{}
	w := timeline.New(to)
	var ran sync.WaitGroup
	for range 3 {
		p := w.Part("many", 0)
		ran.Go(func() {
			defer p.Close()
			now := time.Duration(0)
			for range 4_000 {
				e := recorder.Event{ID: fiber.NewRegularID(0, 1).ID(), From: fiber.Running, To: fiber.Runnable, Began: now, At: now + 5}
				now += 10
				p.Event(&e)
			}
		})
	}
	ran.Wait()
	require.NoError(t, w.Close())
	require.Greater(t, len(to.all), 3*5, "several pieces of each")
	for i := 0; i < len(to.all); i += 5 {
		_, err := timelinetest.Parse(strings.Join(to.all[:i+1], "") + "\n]}\n")
		require.NoError(t, err, "the process ends after piece %d", i)
	}
	events, err := timelinetest.Parse(strings.Join(to.all, ""))
	require.NoError(t, err)
	ranOn := map[int]int{}
	for _, e := range events {
		if e.Phase == "X" {
			ranOn[e.Process]++
		}
	}
	require.Equal(t, map[int]int{3: 4_000, 4: 4_000, 5: 4_000, 6: 4_000, 7: 4_000, 8: 4_000}, ranOn)
}

func TestAPartThatHasEndedStaysAsItIs(t *testing.T) {
	to := &pieces{}
	w := timeline.New(to)
	p := w.Part("north", 0)
	require.NoError(t, record(1, p.Event))
	p.Close()
	before := slices.Clone(to.all)
	require.Contains(t, strings.Join(before, ""), "fibers of north")
	require.NoError(t, record(2, p.Event))
	p.Close()
	require.Equal(t, before, to.all)
	require.NoError(t, w.Close())
	parts, err := timelinetest.CheckParts(strings.Join(to.all, ""))
	require.NoError(t, err)
	require.Len(t, parts, 2)
}

func TestAFileThatIsFullIsToldAtTheEndOfAllParts(t *testing.T) {
	to := &pieces{room: 1}
	w := timeline.New(to)
	p := w.Part("north", 0)
	require.NoError(t, record(1, p.Event))
	p.Close()
	require.ErrorIs(t, w.Close(), errFull)
	require.Len(t, to.all, 1)
}
