package main

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// twoIslands is a program whose first island waits for values of the second, which waits for room.
const twoIslands = `local inbox = fiber.port(1)
fiber.island("north"):spawn(function(out) while true do out:send(1) end end, inbox)
print(inbox:recv())
fiber.sleep(1e6)
`

// islandsOfMetrics are the schedulers that the numbers of a program tell of.
func islandsOfMetrics(t *testing.T, url string) string {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(url)
	require.NoError(t, err)
	defer answer.Body.Close()
	require.Equal(t, http.StatusOK, answer.StatusCode)
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	var all []string
	for line := range strings.Lines(string(body)) {
		if strings.HasPrefix(line, `selvage_island_commands_total{result="executed"`) {
			_, name, _ := strings.Cut(line, `scheduler="`)
			name, _, _ = strings.Cut(name, `"`)
			all = append(all, name)
		}
	}
	return strings.Join(all, " ")
}

func TestTheMetricsHaveEachIslandOfAProgram(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	files{"p.lua": twoIslands}.write(t)
	ctx, cancel := context.WithCancel(t.Context())
	told, stderr := io.Pipe()
	var ran sync.WaitGroup
	ran.Go(func() {
		_ = run(ctx, []string{"run", "--metrics", ":0", "p.lua"}, streams{io.Discard, stderr})
		_ = stderr.Close()
	})
	url := metricsURL(t, told)
	ran.Go(func() { _, _ = io.Copy(io.Discard, told) })
	for found := ""; found != "main north"; found = islandsOfMetrics(t, url) {
		require.Contains(t, []string{"", "main"}, found, "the islands that there are so far")
	}
	cancel()
	ran.Wait()
}

func TestTheInspectorHasTheIslandsOfAProgram(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	files{"p.lua": twoIslands}.write(t)
	i := inspectRun(t, "--inspect", "127.0.0.1:0", "p.lua")
	i.fetch("islands", func(s map[string]any) bool {
		var names []any
		for _, p := range s["parts"].([]any) {
			require.NotContains(t, p, "report")
			names = append(names, p.(map[string]any)["name"])
		}
		waits := s["waits"].([]any) // also of the task on main for the result from north
		return len(names) == 2 && names[0] == "main" && names[1] == "north" && len(waits) == 2 && waits[1].(map[string]any)["for"] == "room"
	})
	i.fetch("summary", func(s map[string]any) bool { return s["islands"] == 2.0 })
	require.Equal(t, statusInterrupted, i.end())
}

// The islands have ended with the program.
func TestTheInspectorHasNoIslandsAfterTheRun(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	files{"p.lua": `fiber.island("north"):spawn(function() return 1 end):join()`}.write(t)
	i := inspectRun(t, "--inspect", "127.0.0.1:0", "--inspect-hold", "p.lua")
	i.next("last state")
	i.fetch("islands", func(s map[string]any) bool { return len(s["parts"].([]any)) == 0 })
	require.Equal(t, statusDone, i.end())
}
