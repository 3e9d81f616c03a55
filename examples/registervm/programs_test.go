package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "write what the programs print beside them")

// Time is virtual, so each run is the same.
func TestEachProgramPrintsWhatIsBesideIt(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a page")) }))
	defer server.Close()
	files, err := filepath.Glob("programs/*.reg")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var out bytes.Buffer
		if err := run(t.Context(), scheduler.NewVirtualClock(), filepath.Base(file), string(text), []string{server.URL}, &out); err != nil {
			fmt.Fprintln(&out, strings.TrimSpace(err.Error()))
		}
		beside := strings.TrimSuffix(file, ".reg") + ".out"
		if *rewrite {
			require.NoError(t, os.WriteFile(beside, out.Bytes(), 0o644))
		}
		want, err := os.ReadFile(beside)
		require.NoError(t, err)
		assert.Equal(t, string(want), out.String(), file)
	}
}

func TestAWrongProgramFailsWithItsLine(t *testing.T) {
	for program, want := range map[string]string{
		"":                        "p.reg: no func main",
		"\nr1 = 1":                "p.reg:2: want func NAME",
		"func main":               "p.reg: func main has no instruction",
		"func f\nfunc f":          "p.reg:2: a second f",
		"func f\na:\na:":          "p.reg:3: a second a",
		"func main\n\ngoto x":     "p.reg:3: no such instruction: goto x",
		"func main\nr16 = move 1": "p.reg:2: no register: r16",
		"func main\nr1 = ":        "p.reg:2: no such instruction",
		"func main\nprint r16":    "p.reg:2: no register, number, text or name: r16",
		"func main\nprint \"x":    "p.reg:2: no register, number, text or name: \"x",
		"func main\nprint" + strings.Repeat(" 1", 17):                "p.reg:2: no such instruction",
		"func main\nr1 = add 1":                                      "p.reg:2: panic: 1 operands, want 2",
		"func main\nr1 = add 1 main":                                 "p.reg:2: panic: operand 2 is main, want int",
		"func main\nrecv r1":                                         "p.reg:2: panic: operand 1 is <nil>, want *main.channel",
		"func main\nr1 = list 1\nat r1 1":                            "p.reg:3: panic: the list has 1 elements, and none at 1",
		"func f\na:\nyield\nfunc main\njump a":                       "p.reg:5: panic: the label is in f",
		"func main\nr0 = list 2 1\nsort r0 main":                     "p.reg:3: panic: sorts are nested too deeply",
		"func main\nspawn":                                           "p.reg:2: panic: want a function and its arguments",
		"func main\nr1 = list 1\nr1 = list r1 2\nspawn r1":           "p.reg:4: panic: operand 1 is [list 2], want *main.function",
		"func main\nspawn 1":                                         "p.reg:2: panic: operand 1 is 1, want *main.function",
		"func main\nsleep -1":                                        "p.reg:2: panic: wait: bad duration",
		"func main\nsleep 9000000000000000000":                       "p.reg:2: panic: wait: bad duration",
		"func main\nhttp \"x:\"":                                     "p.reg:2: panic: Get",
		"func f\nret \"x\"\nfunc main\nr1 = list 2 1\nsort r1 f":     "p.reg:5: panic: the comparison gives x, want a number",
		"func f\nr0 = div r0 0\nfunc main\nr1 = list 2 1\nsort r1 f": "p.reg:2: panic: division by zero",
		"func f\nr1 = recv r0\njoin r1\nfunc main\nr1 = chan\nr2 = spawn f r1\nsend r1 r2\nr2 = join r2\nat r2 0": "a fiber cannot wait for its own end",
	} {
		var out bytes.Buffer
		err := run(t.Context(), scheduler.NewVirtualClock(), "p.reg", program, nil, &out)
		assert.ErrorContains(t, err, want, program)
	}
}

// As Ctrl-C does: here it comes while a comparison of a sort waits for a page.
func TestTheEndOfTheContextEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	defer server.Close()
	program := fmt.Sprintf(waits, server.URL) + "r2 = spawn recv\nsort r3 http\n"
	var out bytes.Buffer
	err := run(ctx, scheduler.NewVirtualClock(), "p.reg", program, []string{server.URL}, &out)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, out.String())
}

// The end of the main fiber ends a request that another fiber waits for.
func TestTheEndOfTheMainFiberEndsAllRequests(t *testing.T) {
	asked := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	}))
	defer server.Close()
	program := fmt.Sprintf(waits, server.URL) + "spawn http\nsleep 1"
	var out bytes.Buffer
	assert.NoError(t, run(t.Context(), afterwards{scheduler.NewVirtualClock(), asked}, "p", program, []string{server.URL}, &out))
}

// afterwards is a clock that goes on when the server has been asked.
type afterwards struct {
	*scheduler.VirtualClock
	asked chan struct{}
}

func (c afterwards) Wait(ctx context.Context, until fiber.Time, wake <-chan struct{}) {
	<-c.asked
	c.VirtualClock.Wait(ctx, until, wake)
}
