package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/internal/asm"
)

// inspected is a run of the command in this process, with its inspector.
type inspected struct {
	t      *testing.T
	url    string
	lines  *bufio.Reader // of stderr
	cancel context.CancelFunc
	status chan int
}

// inspectRun starts a program, and returns when its page is there.
func inspectRun(t *testing.T, args ...string) *inspected {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	told, stderr := io.Pipe()
	i := &inspected{t: t, lines: bufio.NewReader(told), cancel: cancel, status: make(chan int, 1)}
	go func() {
		i.status <- run(ctx, append([]string{"run"}, args...), streams{io.Discard, stderr})
		_ = stderr.Close()
	}()
	_, i.url, _ = strings.Cut(i.next("selvage: inspector at "), "selvage: inspector at ")
	return i
}

// next is the next line of stderr that has a text.
func (i *inspected) next(text string) string {
	i.t.Helper()
	for {
		line, err := i.lines.ReadString('\n')
		if strings.Contains(line, text) {
			return strings.TrimSpace(line)
		}
		require.NoError(i.t, err, "stderr ends without %q", text)
	}
}

// fetch asks for JSON until the answer has what is waited for.
func (i *inspected) fetch(path string, until func(answer map[string]any) bool) {
	i.t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		response, err := client.Get(i.url + "api/v1/" + path)
		require.NoError(i.t, err)
		var answer map[string]any
		require.NoError(i.t, json.NewDecoder(response.Body).Decode(&answer))
		_ = response.Body.Close()
		if until(answer) {
			return
		}
	}
}

// end interrupts the command and returns its status.
func (i *inspected) end() int {
	i.cancel()
	_, _ = io.Copy(io.Discard, i.lines)
	return <-i.status
}

// waiting are programs whose second fiber waits until the end.
var waiting = files{
	"p.lua": `fiber.spawn(function() fiber.chan():recv() end):name("second") fiber.sleep(1e6)`,
	"p.go":  "package main\n\nimport \"time\"\n\nfunc main() {\n\tgo func() { <-make(chan int) }()\n\ttime.Sleep(1e15)\n}\n",
}

func TestTheInspectorShowsARunningProgramOfEachLanguage(t *testing.T) {
	for name := range waiting {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			waiting.write(t)
			i := inspectRun(t, "--inspect", "127.0.0.1:0", name)
			i.fetch("summary", func(s map[string]any) bool {
				require.Equal(t, name, s["program"])
				require.Equal(t, "running", s["verdict"])
				return s["blocked"] == 2.0
			})
			i.fetch("fibers/f1.1", func(f map[string]any) bool {
				require.Contains(t, f["site"], name+":")
				require.Contains(t, f, "steps")
				stack := f["stack"].([]any)
				require.NotNil(t, stack[len(stack)-1].(map[string]any)["source"], "the lines of the program")
				return f["state"] == "blocked"
			})
			require.Equal(t, statusInterrupted, i.end())
		})
	}
}

func TestTheInspectorShowsAWebAssemblyProgram(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	files{"p.wasm": string(asm.Assemble(imports + `func run () export i32.const 0 call chan i32.const 8 i64.const 1000000000000 call recv drop end`))}.write(t)
	i := inspectRun(t, "--inspect", "127.0.0.1:0", "p.wasm")
	i.fetch("fibers", func(p map[string]any) bool {
		f := p["fibers"].([]any)[0].(map[string]any)
		return f["state"] == "blocked" && f["site"] == "p.wasm: run → selvage.recv"
	})
	i.fetch("fibers/f0.1", func(f map[string]any) bool {
		require.Greater(t, f["steps"], 0.0)
		return true
	})
	require.Equal(t, statusInterrupted, i.end())
}

func TestHoldKeepsThePageOfADeadlockUntilCtrlC(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	files{"p.lua": `local me = fiber.self() fiber.spawn(function() me:join() end):join()`}.write(t)
	i := inspectRun(t, "--inspect", ":0", "--inspect-hold", "p.lua")
	require.Equal(t, "selvage: last state until Ctrl-C at "+i.url, i.next("last state"))
	i.fetch("summary", func(s map[string]any) bool {
		require.Equal(t, "deadlock", s["verdict"])
		require.Contains(t, s["error"], "deadlock")
		return true
	})
	i.fetch("graph", func(g map[string]any) bool {
		require.Equal(t, []any{"f0.1", "f1.1"}, g["cycle"])
		return true
	})
	require.Equal(t, statusDeadlock, i.end(), "the status of the program")
}

func TestWithoutHoldThePageEndsWithTheProgram(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	e := guest(t, `print(1)`, "--inspect", "127.0.0.1:0")
	require.Equal(t, statusDone, e.status)
	require.Regexp(t, `^selvage: inspector at http://127\.0\.0\.1:\d+/\n$`, e.err)
}

// In the JSON report nothing else is written to stderr at the end; the address comes before.
func TestAReportAndAPageOfOneRun(t *testing.T) {
	e := guest(t, `fiber.chan():recv()`, "--inspect", "127.0.0.1:0", "--report=json")
	require.Equal(t, statusDeadlock, e.status)
	require.Equal(t, "deadlock", reportOf(t, e.err).Verdict)
	require.Equal(t, 2, strings.Count(e.err, "\n"))
}

func TestAPageForOtherMachinesHasAToken(t *testing.T) {
	waiting.write(t)
	i := inspectRun(t, "--inspect", "0.0.0.0:0", "p.lua")
	address, token, found := strings.Cut(i.url, "?token=")
	require.True(t, found, i.url)
	require.GreaterOrEqual(t, len(token), minToken)
	for given, want := range map[string]int{"": http.StatusUnauthorized, token: http.StatusOK, token + "x": http.StatusUnauthorized} {
		r, err := http.NewRequest(http.MethodGet, address+"api/v1/timeline", nil)
		require.NoError(t, err)
		if given != "" {
			r.Header.Set("Authorization", "Bearer "+given)
		}
		response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
		require.NoError(t, err)
		_ = response.Body.Close()
		require.Equal(t, want, response.StatusCode)
	}
	require.Equal(t, statusInterrupted, i.end())
}

func TestInspectFlagsThatMeanNothingAreRefusedBeforeTheProgramRuns(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	for flags, want := range map[string]string{
		"--inspect 127.0.0.1":                              "--inspect: \"127.0.0.1\" is no address of the form host:port",
		"--inspect 127.0.0.1:http-or-so":                   "--inspect: ",
		"--inspect " + taken.Addr().String():               "address already in use",
		"--inspect :0 --copies 2":                          "--inspect: a page shows one program; leave --copies out",
		"--inspect :0 --schedule 1":                        "--inspect: a run under a --schedule has no page",
		"--inspect-hold":                                   "give --inspect ADDR too",
		"--inspect-values":                                 "give --inspect ADDR too",
		"--inspect-control":                                "give --inspect ADDR too",
		"--inspect :0 --inspect-token short":               "--inspect-token: want at least 16",
		"--inspect :0 --inspect-token 0123456789abcdef/&%": "--inspect-token: want at least 16",
	} {
		e := guest(t, `print("runs")`, strings.Fields(flags)...)
		e.want(t, statusUsage, want)
		require.Empty(t, e.out, flags)
	}
}

// The names of files come from the program: only those of its language beside and below it are shown.
func TestOnlySourcesOfTheProgramAreShown(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.lua")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	files{"p.lua": "main"}.write(t)
	require.NoError(t, os.Mkdir("lib", 0o755))
	require.NoError(t, os.WriteFile("lib/a.lua", []byte("part"), 0o600))
	require.NoError(t, os.WriteFile("key.pem", []byte("secret"), 0o600))
	require.NoError(t, os.Symlink(outside, "link.lua"))
	source := sourceOf("p.lua")
	for name, want := range map[string]string{
		"p.lua": "main", "./p.lua": "main", "lib/a.lua": "part", "lib/../p.lua": "main",
		"key.pem": "", "link.lua": "", outside: "", "../outside.lua": "", "missing.lua": "", "": "", "=[C]": "", "lib": "",
	} {
		text, found := source(name)
		require.Equal(t, want, string(text), name)
		require.Equal(t, want != "", found, name)
	}
	absolute, err := filepath.Abs("p.lua")
	require.NoError(t, err)
	text, _ := sourceOf(absolute)(absolute)
	require.Equal(t, "main", string(text))
}
