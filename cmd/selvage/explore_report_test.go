package main

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
)

func TestPositionsAreJoinedToRanges(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  string
	}{
		{nil, ""},
		{[]string{"p.lua:5"}, ":5"},
		{[]string{"p.lua:5", "p.lua:6", "p.lua:7", "p.lua:7", "p.lua:9", "p.lua:8"}, ":5-7,9,8"},
		{[]string{"sync.go:5", "p.lua:6", "sync.go:7", "p.lua:7"}, ":6-7"},
		{[]string{"sync.go:5", "sync.go:6", "time.go:7"}, "sync.go:5-6 time.go:7"},
		{[]string{"[G]"}, ""},
		{[]string{"p.lua: run"}, "run"},
		{[]string{"p.lua: run", "p.lua: run → selvage.send", "p.lua: run → selvage.recv", "p.lua: g"}, "run → send,recv g"},
		{[]string{"p.lua: run → env.call → p.lua: g → selvage.send"}, "run → env.call → p.lua: g → send"},
	} {
		require.Equal(t, c.want, linesOf(c.lines, "p.lua"), "%v", c.lines)
	}
}

// The steps of a run fit a terminal, however many fibers and steps there are.
func TestTheMiddleOfALongRunIsLeftOut(t *testing.T) {
	long := strings.Repeat("a", 200) + ".lua:1"
	for fibers := 1; fibers <= 9; fibers++ {
		for _, n := range []int{0, 1, 23, 24, 25, 40} {
			e := explore.Ending{}
			for i := range n {
				e.Steps = append(e.Steps, explore.Step{Fiber: "f" + string(rune('0'+i%fibers)) + ".1", Lines: []string{long}, End: "waits"})
			}
			if n == 40 {
				e.Omitted = 1000
			}
			var b strings.Builder
			writeSteps(&b, e, "p.lua")
			shown := strings.Count(b.String(), "waits")
			require.Equal(t, min(n, shownSteps), shown)
			require.Equal(t, n > shownSteps, strings.Contains(b.String(), "steps are left out"))
			for line := range strings.Lines(b.String()) {
				require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, "\n")), stepsWidth, line)
			}
			if n == 40 {
				require.Contains(t, b.String(), "... 1016 steps are left out ...")
				require.Contains(t, b.String(), "\n1040  ")
			}
		}
	}
}

func TestTheJSONOfAFindingHasTheFibersAndTheirWaits(t *testing.T) {
	for name, text := range map[string]string{"p.lua": table(false), "p.go": leaking} {
		files{name: text}.write(t)
		e := selvage(t, "explore", "--json", name)
		require.Equal(t, statusFinding, e.status, e.err)
		require.Equal(t, 1, strings.Count(e.out, "\n"))
		var found findingJSON
		require.NoError(t, json.Unmarshal([]byte(e.out), &found))
		require.NotEmpty(t, found.Steps)
		require.NotEmpty(t, found.Fibers)
		for _, f := range found.Fibers {
			require.NotEmpty(t, f.ID)
			require.Equal(t, "blocked", f.State)
			require.Contains(t, f.Site, name)
			require.NotEmpty(t, f.WaitsFor)
		}
	}
}

// The replay of a finding has the report of the search, whatever GOMAXPROCS is.
func TestTheReplayOfAFindingHasTheReportOfTheSearch(t *testing.T) {
	for name, c := range map[string]struct{ text, flags string }{
		"p.lua":   {table(false), "--runs=1000"},
		"p.go":    {leaking, "--runs=1000"},
		"race.go": {lostUpdate, "--races"},
		"lost.go": {lostUpdate, "--points=access"},
	} {
		files{name: c.text}.write(t)
		found := selvage(t, "explore", c.flags, name)
		require.Equal(t, statusFinding, found.status, found.err)
		_, want, _ := strings.Cut(found.out, "\n")
		want, output, _ := strings.Cut(want, "output of this run:\n")
		_, after, _ := strings.Cut(output, "show it again")
		if output != "" {
			want += "show it again" + after
		}
		_, schedule, _ := strings.Cut(found.out, "--schedule ")
		schedule, _, _ = strings.Cut(schedule, " ")
		for _, procs := range []int{1, 3} {
			before := runtime.GOMAXPROCS(procs)
			e := selvage(t, "run", "--schedule", schedule, name)
			runtime.GOMAXPROCS(before)
			require.Equal(t, statusFinding, e.status, e.err)
			_, got, _ := strings.Cut(e.err, "\n")
			require.Equal(t, want, got)
		}
	}
}
