package stackful_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/niltest"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// inFiber calls what in a fiber of a new runtime, and returns the Go panic that the fiber ended by.
func inFiber(t *testing.T, what func(f *stackful.Fiber)) (value any) {
	t.Helper()
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	_, err := rt.Go("caller", func(f *stackful.Fiber) (any, error) {
		defer func() { value = recover() }()
		what(f)
		return nil, nil
	})
	require.NoError(t, err)
	_ = rt.Run(context.Background()) // a wait on nothing is a deadlock
	return value
}

// functions are the generic calls of a fiber, as methods.
type functions struct{}

func (functions) Send(f *stackful.Fiber, ch *wait.Chan[int])  { _ = stackful.Send(f, ch, 1) }
func (functions) Recv(f *stackful.Fiber, ch *wait.Chan[int])  { _, _, _ = stackful.Recv(f, ch) }
func (functions) Close(f *stackful.Fiber, ch *wait.Chan[int]) { _ = stackful.Close(f, ch) }
func (functions) TrySend(f *stackful.Fiber, ch *wait.Chan[int]) {
	_, _ = stackful.TrySend(f, ch, 1)
}
func (functions) TryRecv(f *stackful.Fiber, ch *wait.Chan[int]) {
	_, _, _ = stackful.TryRecv(f, ch)
}

func TestNoExportedMethodDereferencesANilArgument(t *testing.T) {
	calls := 0
	for _, of := range []func(f *stackful.Fiber) any{
		func(f *stackful.Fiber) any { return f },
		func(f *stackful.Fiber) any { return f.Runtime() },
		func(f *stackful.Fiber) any { return f.Task() },
		func(*stackful.Fiber) any { return new(stackful.Group) },
		func(*stackful.Fiber) any { return functions{} },
	} {
		p := niltest.Probe{Skip: []string{"Run", "Resume"}} // not calls of a fiber
		var current *stackful.Fiber
		p.Within = func(call func()) { inFiber(t, func(f *stackful.Fiber) { current = f; call() }) }
		p.Methods(t, func() (any, func()) {
			f := current
			p.Good = []any{f, f.Runtime(), new(wait.Mutex), new(wait.RWMutex), wait.NewSemaphore(1), new(wait.Once), new(wait.Timer),
				wait.NewCond(new(wait.Mutex)), wait.NewSelect(), wait.NewChan[int](1),
				stackful.Func(func(*stackful.Fiber) (any, error) { return nil, nil }),
				func() error { return nil }, errors.New("cause"), func(fiber.Token) error { return errors.New("no device") }}
			return of(f), nil
		})
		calls += p.Calls
	}
	require.Greater(t, calls, 90)
}

func TestACallWithoutAnArgumentItNeedsSaysSo(t *testing.T) {
	for name, call := range map[string]func(f *stackful.Fiber){
		"Go":       func(f *stackful.Fiber) { _, _ = f.Runtime().Go("", nil) },
		"GoWith":   func(f *stackful.Fiber) { _, _ = f.Runtime().GoWith("", nil, scheduler.Options{}) },
		"Start":    func(f *stackful.Fiber) { _, _ = f.Runtime().Start("", nil) },
		"Group.Go": func(f *stackful.Fiber) { _, _ = new(stackful.Group).Go(f, "", nil) },
		"Call":     func(f *stackful.Fiber) { _, _ = f.Call(nil) },
		"Join":     func(f *stackful.Fiber) { _, _ = f.Join(nil) },
		"Cancel":   func(f *stackful.Fiber) { _ = f.Cancel(nil, nil) },
		"Lock":     func(f *stackful.Fiber) { _ = f.Lock(nil) },
		"typed":    func(f *stackful.Fiber) { _ = f.Lock((*wait.Mutex)(nil)) },
		"RLock":    func(f *stackful.Fiber) { _ = f.RLock(nil) },
		"Unlock":   func(f *stackful.Fiber) { _ = f.Unlock(nil) },
		"Acquire":  func(f *stackful.Fiber) { _ = f.Acquire(nil, 1) },
		"Wait":     func(f *stackful.Fiber) { _ = f.Wait(nil) },
		"Select":   func(f *stackful.Fiber) { _, _ = f.Select(nil) },
		"Send":     func(*stackful.Fiber) { _ = stackful.Send(nil, wait.NewChan[int](1), 1) },
	} {
		value := inFiber(t, call)
		broken, ok := value.(*scheduler.ContractError)
		require.True(t, ok, "%s: %v", name, value)
		require.Equal(t, "VALID-ARGUMENT", broken.Rule.String(), name)
		require.NotEmpty(t, broken.Fix)
	}
}

func TestNoFiberBeginsAfterClose(t *testing.T) {
	rt := stackful.New(stackful.Config{})
	rt.Close()
	nothing := func(*stackful.Fiber) (any, error) { return nil, nil }
	_, err := rt.Go("late", nothing)
	require.ErrorIs(t, err, scheduler.ErrStopped)
	_, err = rt.Start("late", nothing)
	require.ErrorIs(t, err, scheduler.ErrStopped)
}
