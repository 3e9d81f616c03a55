package inspect

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
)

// recorded is a History with n slices, one after another, of two fibers in turn.
type recorded struct{ n int64 }

func (r recorded) Events(of fiber.ID, n int) (events []Event) {
	for i := range min(int64(n), r.n) {
		events = append(events, Event{At: i, Transition: uint64(i), What: "block", Text: of.String()})
	}
	return events
}

func (r recorded) Slices(from, to int64, n int) (slices []Slice) {
	for i := max(0, from/10); i < r.n && i*10 < to; i++ {
		slices = append(slices, Slice{Fiber: fiber.NewRegularID(uint32(i%2), 1).ID(), From: i * 10, To: i*10 + 10, State: "running"})
	}
	return slices[max(0, len(slices)-n):]
}

func (r recorded) Span() (from, to int64) { return 0, r.n * 10 }

func TestATimelineHasTheSlicesOfAPeriod(t *testing.T) {
	c := patient(newWorld(t, 1, 2))
	c.History = recorded{1000}
	h := New(c)
	serve(t, h, func() {
		all := fetch[timeline](t, h, "/api/v1/timeline")
		require.Equal(t, []any{true, int64(0), int64(10_000), int64(0), int64(10_000), false}, []any{all.Available, all.First, all.Last, all.From, all.To, all.Partial})
		require.Len(t, all.Tracks, 2)
		require.Equal(t, "f0.1", all.Tracks[0].ID)
		require.Len(t, all.Tracks[0].Slices, 500)

		part := fetch[timeline](t, h, "/api/v1/timeline?from=100&to=200")
		require.Equal(t, trackSlice{100, 110, "running"}, part.Tracks[0].Slices[0])
		require.Len(t, part.Tracks[0].Slices, 5)
		few := fetch[timeline](t, h, "/api/v1/timeline?limit=3")
		require.True(t, few.Partial)
		require.Equal(t, int64(9_990), few.Tracks[1].Slices[1].From, "the latest")
	})
	for _, bad := range []string{"from=-1", "to=x", "limit=10001"} {
		status, _ := refusal(t, h, request(http.MethodGet, "/api/v1/timeline?"+bad))
		require.Equal(t, http.StatusBadRequest, status)
	}
}

func TestWithoutAHistoryThereIsNoTimeline(t *testing.T) {
	h := New(Config{Core: &newWorld(t, 1, 1).s.Core, Timeout: 1})
	require.False(t, fetch[timeline](t, h, "/api/v1/timeline").Available, "the owner is not even asked")
}

func TestAPageHasTheHistoryOfItsFiberAlsoWhenItHasEnded(t *testing.T) {
	c := patient(newWorld(t, 1, 2))
	c.History = recorded{3}
	h := New(c)
	serve(t, h, func() {
		require.Len(t, fetch[Detail](t, h, "/api/v1/fibers/f1.1").History, 3)
		require.Len(t, fetch[Detail](t, h, "/api/v1/fibers/f9.9").History, 3)
	})
}

func TestAStackHasItsLinesAndValuesOnlyIfTheyAreAllowed(t *testing.T) {
	for _, values := range []bool{false, true} {
		c := patient(newWorld(t, 1, 2))
		c.Values = values
		c.Stack = func(_ fiber.RegularID, asked bool) []frame.Frame {
			require.Equal(t, values, asked)
			return []frame.Frame{{Function: "f", File: "a.x", Line: 7}, {Function: "g", File: "missing.x", Line: 1}, {Function: "native"}}
		}
		reads := 0
		c.Source = func(file string) ([]byte, bool) {
			reads++
			return []byte(strings.Repeat("line\n", 20)), file == "a.x"
		}
		h := New(c)
		serve(t, h, func() {
			d := fetch[Detail](t, h, "/api/v1/fibers/f1.1")
			require.Len(t, d.Stack, 3)
			require.Equal(t, 3, d.Stack[0].Source.First)
			require.Len(t, d.Stack[0].Source.Lines, 9)
			require.Nil(t, d.Stack[2].Source)
			require.Equal(t, 2, reads)
		})
	}
}

// Without a host that knows the stack, the place that the scheduler knows is the only call.
func TestWithoutStacksThePlaceIsShown(t *testing.T) {
	c := patient(newWorld(t, 1, 3))
	c.Source = func(string) ([]byte, bool) { return []byte("only line"), true }
	h := New(c)
	serve(t, h, func() {
		d := fetch[Detail](t, h, "/api/v1/fibers/f1.1")
		require.Equal(t, frame.Frame{File: "a.x", Line: 1}, d.Stack[0].Frame)
		require.Equal(t, &Excerpt{First: 1, Lines: []string{"only line"}}, d.Stack[0].Source)
		require.Empty(t, fetch[Detail](t, h, "/api/v1/fibers/f0.1").Stack, "a fiber without a place")
	})
}

func TestAnExcerptHasTheLinesAroundOneThatExists(t *testing.T) {
	text := []byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12")
	for line, want := range map[int]*Excerpt{
		1: {1, []string{"1", "2", "3", "4", "5"}}, 6: {2, []string{"2", "3", "4", "5", "6", "7", "8", "9", "10"}},
		12: {8, []string{"8", "9", "10", "11", "12"}}, 13: nil, 1 << 30: nil,
	} {
		require.Equal(t, want, excerptOf(text, line), line)
	}
	require.Nil(t, excerptOf(nil, 1))
	require.Equal(t, maxLine, len(excerptOf([]byte(strings.Repeat("x", 10_000)), 1).Lines[0]))
	require.Equal(t, "\uFFFD", excerptOf([]byte{0xff}, 1).Lines[0])
}

func TestAPlaceIsAFileAndALine(t *testing.T) {
	for site, want := range map[string]frame.Frame{
		"a.lua:3": {File: "a.lua", Line: 3}, "C:/a.lua:12": {File: "C:/a.lua", Line: 12}, "a.lua": {File: "a.lua"}, "a:b": {File: "a:b"},
		"a:99999999999999999999": {File: "a:99999999999999999999"}, "a:-1": {File: "a:-1"}, ":": {File: ":"}, "7": {File: "7"},
		"main.f at p.go:6": {Function: "main.f", File: "p.go", Line: 6}, " at ": {},
	} {
		require.Equal(t, want, placeOf(site), site)
	}
}
