package stackful_test

import (
	"bytes"
	"runtime/trace"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/gotools/gotoolstest"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

func TestGoToolsSeeTheFiberOnItsGoroutine(t *testing.T) {
	rt := stackful.New(stackful.Config{Config: scheduler.Config{GoTools: true}})
	defer rt.Close()
	var during, after []string
	waits, err := rt.Go("waits", func(f *stackful.Fiber) (any, error) { return nil, f.Sleep(1) })
	require.NoError(t, err)
	_, err = rt.Go("", func(f *stackful.Fiber) (any, error) {
		during = gotoolstest.Labels()
		_, err := f.Join(waits)
		after = gotoolstest.Labels()
		return nil, err
	})
	require.NoError(t, err)
	require.NoError(t, rt.Run(t.Context()))
	require.Equal(t, []string{`{"fiber":"f0.1", "name":"waits"}`, `{"fiber":"f1.1"}`}, during)
	require.Equal(t, []string{`{"fiber":"f1.1"}`}, after)
	require.Empty(t, gotoolstest.Labels())
}

func TestWithoutGoToolsThereAreNoLabels(t *testing.T) {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	_, err := rt.Go("plain", func(*stackful.Fiber) (any, error) { require.Empty(t, gotoolstest.Labels()); return nil, nil })
	require.NoError(t, err)
	require.NoError(t, rt.Run(t.Context()))
}

func TestAnExecutionTraceHasATaskForEachFiber(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, trace.Start(&text))
	for _, on := range []bool{false, true} {
		rt := stackful.New(stackful.Config{Config: scheduler.Config{GoTools: on}})
		name := map[bool]string{false: "without", true: "with the option"}[on]
		_, err := rt.Go(name, func(f *stackful.Fiber) (any, error) { return nil, f.Yield() })
		require.NoError(t, err)
		require.NoError(t, rt.Run(t.Context()))
		rt.Close()
	}
	trace.Stop()
	require.Contains(t, text.String(), "with the option")
	require.NotContains(t, text.String(), "without")
}
