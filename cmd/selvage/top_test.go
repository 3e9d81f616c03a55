package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// deadlocked is a program of two fibers that hold a mutex each and want the other; the first has a name that would clear
// the screen.
var deadlocked = files{"p.lua": `local a, b = fiber.mutex(), fiber.mutex()
local first = fiber.spawn(function() a:lock() fiber.yield() b:lock() end)
first:name("\27[2Jalice")
fiber.spawn(function() b:lock() fiber.yield() a:lock() end):name("bob")
first:join()`}

func TestTopShowsADeadlockAsPlainTextWithoutATerminal(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	deadlocked.write(t)
	i := inspectRun(t, "--inspect", "127.0.0.1:0", "--inspect-hold", "--inspect-token", "0123456789abcdef", "p.lua")
	i.next("last state")
	for _, flags := range [][]string{nil, {"--once"}, {"--limit", "1"}} {
		e := selvage(t, append(append([]string{"top"}, flags...), i.url)...)
		e.want(t, statusDone)
		require.True(t, strings.HasPrefix(e.out, "p.lua: deadlock\n3 fibers  0 active  3 blocked"), e.out)
		require.NotContains(t, e.out, "\x1b")
		if len(flags) == 2 {
			require.Contains(t, e.out, "… and 2 more; --limit shows up to 500\n")
		} else {
			require.Regexp(t, `(?m)^f2\.1 +bob +blocked +queue +mutex "p\.lua:1 #1" \(owner f1\.1, waiting: 1\) +p\.lua:4$`, e.out)
		}
	}
	host, _, _ := strings.Cut(strings.TrimPrefix(i.url, "http://"), "/")
	selvage(t, "top", host).want(t, statusUsage, "wants a token, or another one than was given")
	selvage(t, "top", "--inspect-token", "wrong", host).want(t, statusUsage, "wants a token")
	selvage(t, "top", "--token", "0123456789abcdef", host).want(t, statusDone)
	t.Setenv("SELVAGE_INSPECT_TOKEN", "0123456789abcdef")
	selvage(t, "top", host).want(t, statusDone)
	require.Equal(t, statusDeadlock, i.end())
}

func TestTopSaysWhatIsWrongWithAnAddress(t *testing.T) {
	site := httptest.NewServer(http.NotFoundHandler())
	defer site.Close()
	for line, want := range map[string]string{
		"": "expected \"<ADDR>\"", "localhost": "has no port: want HOST:PORT", "127.0.0.1:1": "cannot reach the inspector at 127.0.0.1:1",
		site.URL: "is no inspector of Selvage", "--interval 1ms :1": "--interval 1ms: want 100ms or more", "--limit 501 :1": "--limit 501: want a number from 0 to 500",
		"--limit -1 :1": "--limit -1: want",
	} {
		e := selvage(t, append([]string{"top"}, strings.Fields(line)...)...)
		e.want(t, statusUsage, want)
		require.Empty(t, e.out)
	}
}

func TestTopHelpHasTheKeysAndTheStatuses(t *testing.T) {
	e := selvage(t, "top", "--help")
	e.want(t, statusDone)
	for _, piece := range []string{"Usage: selvage top [flags] ADDR", "Enter    one fiber", "--inspect-control", "NO_COLOR", "Exit status: 0", "--once", "--limit=N", "--interval=TIME", "(1s)", "$SELVAGE_INSPECT_TOKEN"} {
		require.Contains(t, e.out, piece)
	}
}
