package starlark_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.starlark.net/lib/json"
	starmath "go.starlark.net/lib/math"
	startime "go.starlark.net/lib/time"
	gostar "go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/starlarktest"
	"go.starlark.net/syntax"

	"github.com/selvage-dev/selvage/host/starlark"
	"github.com/selvage-dev/selvage/quota"
)

// chunk is a part of a test file of the engine: a program, and the errors that its comments expect.
type chunk struct {
	file, source string
	errors       map[int]*regexp.Regexp // by line
}

var expectation = regexp.MustCompile("(?m)^(.*?)###[ \t]*(\".*\"|`.*`)[ \t]*$")

// testdata reads the test files of the engine from its module.
func testdata(t *testing.T) (chunks []chunk) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.starlark.net").Output()
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "starlark", "testdata", "*.star"))
	require.NoError(t, err)
	require.Greater(t, len(files), 20)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		line := 1
		for _, part := range strings.Split(string(text), "\n---\n") {
			c := chunk{file: file, source: strings.Repeat("\n", line-1) + part, errors: map[int]*regexp.Regexp{}}
			for i, text := range strings.Split(part, "\n") {
				if found := expectation.FindStringSubmatch(text); found != nil {
					pattern, err := strconv.Unquote(found[2])
					require.NoError(t, err)
					c.errors[line+i] = regexp.MustCompile(pattern)
				}
			}
			line += strings.Count(part, "\n") + 2
			chunks = append(chunks, c)
		}
	}
	return chunks
}

// options are those that the comments of a chunk ask for.
func (c chunk) options() *syntax.FileOptions {
	has := func(name string) bool { return strings.Contains(c.source, "option:"+name) }
	return &syntax.FileOptions{
		Set: has("set"), While: has("while"), TopLevelControl: has("toplevelcontrol"), GlobalReassign: has("globalreassign"),
		LoadBindsGlobally: has("loadbindsglobally"), Recursion: has("recursion"),
	}
}

// outcome is everything that a chunk shows.
type outcome struct {
	Message  string
	Calls    []string // of the error
	Reported []string // by the module assert
	Printed  string
	Globals  []string
}

// Error is for starlarktest.Reporter.
func (o *outcome) Error(args ...any) { o.Reported = append(o.Reported, fmt.Sprint(args...)) }

func (o *outcome) ended(globals gostar.StringDict, err error) {
	if err == nil {
		o.Globals = slices.Sorted(maps.Keys(globals))
		return
	}
	o.Message = err.Error()
	if eval, ok := errors.AsType[*gostar.EvalError](err); ok {
		o.Message = eval.Msg
		for _, f := range eval.CallStack {
			if f.Pos.Filename() != "<builtin>" {
				o.Calls = append(o.Calls, f.Name+" "+f.Pos.String())
			}
		}
		return
	}
	var guest *starlark.GuestError
	if errors.As(err, &guest) {
		o.Message = errors.Unwrap(guest).Error()
	}
}

// expected are names that the chunks use.
func expected() gostar.StringDict {
	return gostar.StringDict{
		"fibonacci": fibonacci{}, "struct": gostar.NewBuiltin("struct", starlarkstruct.Make),
		"hasfields": gostar.NewBuiltin("hasfields", func(*gostar.Thread, *gostar.Builtin, gostar.Tuple, []gostar.Tuple) (gostar.Value, error) {
			return &fields{values: gostar.StringDict{}}, nil
		}),
	}
}

func modules(t *testing.T) map[string]gostar.StringDict {
	assert, err := starlarktest.LoadAssertModule()
	require.NoError(t, err)
	return map[string]gostar.StringDict{
		"assert.star": assert, "json.star": {"json": json.Module}, "time.star": {"time": startime.Module}, "math.star": {"math": starmath.Module},
	}
}

// bare runs a chunk without fibers.
func (c chunk) bare(t *testing.T) (o outcome) {
	thread := &gostar.Thread{
		Print: func(_ *gostar.Thread, text string) { o.Printed += text + "\n" },
		Load: func(_ *gostar.Thread, name string) (gostar.StringDict, error) {
			if m, ok := modules(t)[name]; ok {
				return m, nil
			}
			return nil, errors.New("no such module")
		},
	}
	starlarktest.SetReporter(thread, &o)
	o.ended(gostar.ExecFileOptions(c.options(), thread, c.file, c.source, expected()))
	return o
}

// hosted runs a chunk on a fiber, beside one that yields all the time.
func (c chunk) hosted(t *testing.T, slice int, limits quota.Limits) (o outcome) {
	var out bytes.Buffer
	cfg := starlark.Config{
		Options: c.options(), Predeclared: expected(), Modules: modules(t), Quota: limits, MaxDepth: 1 << 30,
		Thread: func(thread *gostar.Thread) { starlarktest.SetReporter(thread, &o) },
	}
	cfg.Access.Stdout = &out
	cfg.Access.Start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) // a chunk compares time.now with a time of 2021
	cfg.Runtime.Budget = slice
	h, err := starlark.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	globals, err := h.Run(context.Background(), c.file, []byte(c.source))
	o.ended(globals, err)
	o.Printed = out.String()
	return o
}

// skipped says why a chunk is left out.
func (c chunk) skipped() string {
	switch {
	case strings.HasSuffix(c.file, "proto.star"):
		return "needs the module proto, which the host does not have"
	case strings.HasSuffix(c.file, "benchmark.star"):
		return "has no expectations, and takes long"
	}
	return ""
}

// The engine's own tests have the same outcome on fibers, however often they are preempted, and as their comments say.
func TestTheEnginesOwnTestsHaveTheSameOutcomeOnFibers(t *testing.T) {
	chunks := testdata(t)
	ran := 0
	for _, c := range chunks {
		if why := c.skipped(); why != "" {
			continue
		}
		ran++
		want := c.bare(t)
		c.judge(t, want)
		for _, slice := range []int{1, 7, 100, 10_000} {
			for _, limits := range []quota.Limits{{}, {Steps: 1 << 40, Memory: 1 << 40}} {
				require.Equal(t, want, c.hosted(t, slice, limits), "%s, slice %d, limits %v:\n%s", c.file, slice, limits, strings.TrimLeft(c.source, "\n"))
			}
		}
	}
	t.Logf("%d of %d chunks", ran, len(chunks))
	require.Greater(t, ran, 80)
}

// judge compares an outcome with the comments of the chunk.
func (c chunk) judge(t *testing.T, o outcome) {
	require.Empty(t, o.Reported, c.file)
	if len(c.errors) == 0 {
		require.Empty(t, o.Message, c.file)
	}
	for line, pattern := range c.errors {
		require.Regexp(t, pattern, o.Message)
		if len(o.Calls) > 0 {
			require.Contains(t, strings.Join(o.Calls, "\n"), fmt.Sprintf("%s:%d:", c.file, line))
		}
	}
}
