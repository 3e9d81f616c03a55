//go:build !purego

package fibers

import (
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRacesAreFound has a program for each kind of access and of edge. Each runs once, in the default order:
// the verdict does not depend on the schedule.
func TestRacesAreFound(t *testing.T) {
	text, err := os.ReadFile("testdata/races.txt")
	require.NoError(t, err)
	for _, part := range strings.Split(string(text), "\n== ")[1:] {
		head, source, _ := strings.Cut(part, "\n")
		name, want, _ := strings.Cut(head, ": ")
		t.Run(name, func(t *testing.T) {
			err := runRaces(t, source)
			var race *RaceError
			if want == "ordered" {
				require.NoError(t, err)
				return
			}
			require.ErrorAs(t, err, &race)
			words := strings.Fields(want)
			n := len(words)
			require.Contains(t, race.Text, "data race on ")
			require.Contains(t, strings.SplitN(race.Text, ":", 2)[0], strings.Join(words[1:n-2], " "), race.Text)
			require.Equal(t, words[n-2:], sitesOf(race.Text), race.Text)
		})
	}
}

// sitesOf are the lines of the later and the earlier access.
func sitesOf(report string) (lines []string) {
	for _, m := range regexp.MustCompile(`(?m)^(?:earlier )?(?:read|write).*:\n\tp\.lua:(\d+)`).FindAllStringSubmatch(report, -1) {
		lines = append(lines, m[1])
	}
	return lines
}

func runRaces(t *testing.T, source string) error {
	t.Helper()
	c := Config{Races: true}
	c.Access.Stdout = io.Discard
	h := New(c)
	defer h.Close()
	_, err := h.Run(context.Background(), strings.NewReader(source), "p.lua")
	return err
}

// A program that is not watched has no watcher, and one that is watched runs to its end if it has no race.
func TestARaceEndsTheProgramAndTheNextOneRuns(t *testing.T) {
	h := New(Config{Races: true})
	defer h.Close()
	_, err := h.Run(t.Context(), strings.NewReader("fiber.spawn(function() n = 1 end) fiber.yield() n = 2 after = true"), "p.lua")
	require.True(t, errors.As(err, new(*RaceError)), "%v", err)
	values, err := h.Run(t.Context(), strings.NewReader("return after"), "q.lua")
	require.NoError(t, err)
	require.Equal(t, "[nil]", strings.ReplaceAll("["+values[0].String()+"]", " ", ""))
}
