package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/internal/long"
)

// unending are programs that run until they are interrupted.
var unending = files{
	"p.lua": `fiber.spawn(function() while true do fiber.yield() end end):name("spinner") fiber.sleep(1e6)`,
	"p.go":  "package main\n\nfunc main() {\n\tgo func() {\n\t\tfor {\n\t\t}\n\t}()\n\tselect {}\n}\n",
	"p.wasm": string(asm.Assemble(`
		func run () export
			loop br 0 end
		end`)),
}

// scraped runs a program, and interrupts it when what it tells its numbers has been read.
func scraped(t *testing.T, program string, flags ...string) (numbers string, end ending) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told, stderr := io.Pipe()
	var ran sync.WaitGroup
	ran.Go(func() {
		end.status = run(ctx, append(append([]string{"run", "--metrics", ":0"}, flags...), program), streams{io.Discard, stderr})
		_ = stderr.Close()
	})
	var text bytes.Buffer
	url := metricsURL(t, io.TeeReader(told, &text))
	ran.Go(func() { _, _ = io.Copy(&text, told) })
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(url)
	require.NoError(t, err)
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusOK, answer.StatusCode)
	cancel()
	ran.Wait()
	end.err = text.String()
	return string(body), end
}

// metricsURL waits until the command tells where the numbers are.
func metricsURL(t *testing.T, stderr io.Reader) string {
	t.Helper()
	line, one := "", make([]byte, 1)
	for !strings.HasSuffix(line, "\n") {
		_, err := stderr.Read(one)
		require.NoError(t, err, line)
		line += string(one)
	}
	url := regexp.MustCompile(`http://127\.0\.0\.1:\d+/metrics`).FindString(line)
	require.NotEmpty(t, url, line)
	return url
}

func TestPrometheusCanReadTheNumbersOfARun(t *testing.T) {
	for name := range unending {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			unending.write(t)
			numbers, end := scraped(t, name)
			end.want(t, statusInterrupted, "selvage: interrupted\n")
			for _, part := range []string{
				"# HELP selvage_fibers Fibers", "# TYPE selvage_fibers gauge\n", `selvage_scrape_stale{scheduler="main"} 0` + "\n",
				"# TYPE selvage_wake_latency_seconds histogram\n", "# TYPE selvage_time_slice_seconds histogram\n",
			} {
				require.Contains(t, numbers, part)
			}
		})
	}
}

// promtool is the checker of Prometheus itself, which says nothing if it has no remark.
func TestPromtoolHasNoRemarksOnTheNumbersOfARun(t *testing.T) {
	if !long.On(t) {
		return
	}
	unending.write(t)
	numbers, _ := scraped(t, "p.lua")
	promtool, err := exec.LookPath("promtool")
	require.NoError(t, err, "promtool is missing: install Debian's package prometheus")
	check := exec.Command(promtool, "check", "metrics")
	check.Stdin = strings.NewReader(numbers)
	remarks, err := check.CombinedOutput()
	require.NoError(t, err, "%s", remarks)
	require.Empty(t, string(remarks))
}

func TestAnAddressThatCannotBeServedIsRefusedBeforeTheRun(t *testing.T) {
	for flags, why := range map[string]string{
		"--metrics nowhere":                   "no address of the form HOST:PORT",
		"--metrics 127.0.0.1:-1":              "--metrics: ",
		"--metrics :0 --copies 2":             "leave --copies out",
		"--metrics :0 --schedule=fifo:never1": "--schedule",
	} {
		e := guest(t, `print("ran")`, strings.Fields(flags)...)
		e.want(t, statusUsage, why)
		e.wantOut(t, "")
	}
}

// A program that ends before the first scrape, or fails, leaves no server.
func TestTheServerOfTheNumbersEndsWithTheRun(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	guest(t, `print("ran")`, "--metrics", ":0").want(t, statusDone, "selvage: metrics at http://127.0.0.1:")
	guest(t, `this is no Lua`, "--metrics", ":0").want(t, statusGuest, "p.lua")
	guest(t, `fiber.chan():recv()`, "--metrics", ":0").want(t, statusDeadlock, "deadlock")
}
