package timeline_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/timelinetest"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/recorder/timeline"
	"github.com/selvage-dev/selvage/scheduler"
)

// pieces is a file that keeps what each call has written.
type pieces struct {
	all  []string
	room int // of calls that succeed; 0 is all
}

var errFull = errors.New("no space left")

func (p *pieces) Write(text []byte) (int, error) {
	if p.room > 0 && len(p.all) == p.room {
		return 0, errFull
	}
	p.all = append(p.all, string(text))
	return len(text), nil
}

// long writes the timeline of a program with n slices.
func long(t *testing.T, to *pieces, n int) (closed error) {
	t.Helper()
	w := timeline.New(to)
	now := int64(0)
	r := recorder.New(recorder.Config{Size: 1, Exact: true, Each: w.Event, Clock: func() int64 { now += 1_000; return now }})
	cfg := scheduler.Config{}
	r.Configure(&cfg)
	s := scheduler.New[int](cfg)
	r.Attach(&s.Core)
	for i := range 2 {
		_, err := s.SpawnWith(i, scheduler.Options{Name: fmt.Sprint("fiber ", i)})
		require.NoError(t, err)
	}
	for range n {
		s.Poll()
		require.NotNil(t, s.ScheduleNext())
		s.YieldCurrent()
	}
	r.Flush()
	return w.Close()
}

func TestATimelineIsWrittenWhileTheProgramRunsAndInWholeEvents(t *testing.T) {
	to := &pieces{}
	require.NoError(t, long(t, to, 20_000))
	require.Greater(t, len(to.all), 50)
	for i, piece := range to.all {
		require.Less(t, len(piece), 70_000, "the memory is bounded")
		if i == 1 || i == len(to.all)/2 { // the process ends here
			_, err := timelinetest.Parse(strings.Join(to.all[:i+1], "") + "\n]}\n")
			require.NoError(t, err)
		}
	}
	line, err := timelinetest.Check(strings.Join(to.all, ""))
	require.NoError(t, err)
	require.Len(t, line.Of(1, "slice"), 10_000)
}

func TestAFileThatIsFullIsToldAtTheEnd(t *testing.T) {
	to := &pieces{room: 3}
	require.ErrorIs(t, long(t, to, 20_000), errFull)
	require.Len(t, to.all, 3)
}

func TestATimelineWithoutEventsIsOneToo(t *testing.T) {
	to := &pieces{}
	w := timeline.New(to)
	require.NoError(t, w.Close())
	_, err := timelinetest.Check(strings.Join(to.all, ""))
	require.NoError(t, err)
	require.Error(t, w.Close(), "once")
}
