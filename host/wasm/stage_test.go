package wasm_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/stackful"
)

// stage is a runtime with a few host functions, and what the fibers of a test said.
type stage struct {
	*wasm.Runtime
	t     *testing.T
	lines []string
}

// each plays on both backings, and checks that nothing is left: no fiber, no goroutine.
func each(t *testing.T, cfg wasm.Config, play func(s *stage)) {
	for _, b := range []stackful.Backing{stackful.Coroutine, stackful.Goroutine} {
		t.Run(b.String(), func(t *testing.T) {
			cfg.Runtime.Backing = b
			play(newStage(t, cfg))
		})
	}
}

func newStage(t *testing.T, cfg wasm.Config) *stage {
	known := goleak.IgnoreCurrent()
	s := &stage{Runtime: wasm.New(cfg), t: t}
	t.Cleanup(func() {
		s.Close()
		c := s.Fibers().Scheduler().Inspect().Counts()
		require.Zero(t, s.Fibers().Scheduler().Inspect().Live())
		require.Zero(t, s.Fibers().Scheduler().Inspect().LiveTrampolines())
		require.Equal(t, c.Spawned, c.Ended)
		goleak.VerifyNone(t, known)
	})
	return s
}

func (s *stage) say(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

func (s *stage) compile(name, text string) *wasm.Module {
	s.t.Helper()
	m, err := s.Compile(name, asm.Assemble(text))
	require.NoError(s.t, err)
	return m
}

// define makes the module env of functions from i64s to one i64.
func (s *stage) define(functions map[string]func(c *wasm.Caller, n int64) (int64, error)) {
	s.t.Helper()
	var list []wasm.Function
	for name, do := range functions {
		list = append(list, wasm.Function{
			Name: name, Params: []api.ValueType{api.ValueTypeI64}, Results: []api.ValueType{api.ValueTypeI64},
			Do: func(c *wasm.Caller, stack []uint64) error {
				n, err := do(c, int64(stack[0]))
				stack[0] = uint64(n)
				return err
			},
		})
	}
	require.NoError(s.t, s.Define("env", list...))
}

// spawn starts a fiber that has an instance of the module.
func (s *stage) spawn(name string, m *wasm.Module, body func(f *stackful.Fiber, i *wasm.Instance) error) *stackful.Task {
	s.t.Helper()
	task, err := s.Fibers().Go(name, func(f *stackful.Fiber) (any, error) {
		i, err := m.Instantiate(f, nil)
		if err != nil {
			return nil, err
		}
		defer i.Close()
		return nil, body(f, i)
	})
	require.NoError(s.t, err)
	return task
}

// call starts a fiber that calls a function; its result is that of the task.
func (s *stage) call(m *wasm.Module, function string, args ...uint64) *stackful.Task {
	s.t.Helper()
	task, err := s.Fibers().Go(m.Name(), func(f *stackful.Fiber) (any, error) {
		i, err := m.Instantiate(f, nil)
		if err != nil {
			return nil, err
		}
		defer i.Close()
		return i.Call(f, function, args...)
	})
	require.NoError(s.t, err)
	return task
}

func (s *stage) run() {
	s.t.Helper()
	require.NoError(s.t, s.Fibers().Run(context.Background()))
}

// result is that of a task that must have ended well.
func (s *stage) result(task *stackful.Task) uint64 {
	s.t.Helper()
	v, err, done := task.Result()
	require.True(s.t, done)
	require.NoError(s.t, err)
	return v.([]uint64)[0]
}

// failure is the error that a task ended with.
func failure(t *testing.T, task *stackful.Task) error {
	t.Helper()
	_, err, done := task.Result()
	require.True(t, done)
	require.Error(t, err)
	return err
}

// alone runs one function on a fiber of its own and returns its error.
func (s *stage) alone(body func(f *stackful.Fiber) error) error {
	s.t.Helper()
	task, err := s.Fibers().Go("alone", func(f *stackful.Fiber) (any, error) { return nil, body(f) })
	require.NoError(s.t, err)
	s.run()
	_, err, _ = task.Result()
	return err
}

var errWanted = errors.New("wanted")
