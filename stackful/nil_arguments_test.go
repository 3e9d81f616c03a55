package stackful_test

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// arguments are all combinations of nil and of something that is not nil, for the parameters that
// can be nil; the others are zero.
func arguments(f *stackful.Fiber, m reflect.Type) (all [][]reflect.Value) {
	some := []any{f, f.Runtime(), new(wait.Mutex), new(wait.RWMutex), wait.NewSemaphore(1), new(wait.Once), new(wait.Timer),
		wait.NewCond(new(wait.Mutex)), wait.NewSelect(), stackful.Func(func(*stackful.Fiber) (any, error) { return nil, nil }),
		func() error { return nil }, errors.New("cause"), func(fiber.Token) error { return errors.New("no device") }}
	all = [][]reflect.Value{nil}
	for i := range m.NumIn() {
		var longer [][]reflect.Value
		for _, in := range all {
			longer = append(longer, append(in[:len(in):len(in)], reflect.Zero(m.In(i))))
			for _, v := range some {
				if reflect.TypeOf(v).AssignableTo(m.In(i)) {
					longer = append(longer, append(in[:len(in):len(in)], reflect.ValueOf(v)))
				}
			}
		}
		all = longer
	}
	return all
}

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

func TestNoExportedMethodDereferencesANilArgument(t *testing.T) {
	receivers := map[string]func(f *stackful.Fiber) any{
		"Fiber":   func(f *stackful.Fiber) any { return f },
		"Runtime": func(f *stackful.Fiber) any { return f.Runtime() },
		"Task":    func(f *stackful.Fiber) any { return f.Task() },
		"Group":   func(*stackful.Fiber) any { return new(stackful.Group) },
	}
	left := map[string]bool{"Runtime.Close": true, "Runtime.Run": true, "Runtime.Resume": true} // not calls of a fiber
	calls := 0
	for name, of := range receivers {
		var methods []reflect.Method
		var counts []int
		inFiber(t, func(f *stackful.Fiber) {
			receiver := reflect.ValueOf(of(f))
			for i := range receiver.NumMethod() {
				methods = append(methods, receiver.Type().Method(i))
				counts = append(counts, len(arguments(f, receiver.Method(i).Type())))
			}
		})
		for i, m := range methods {
			for n := range counts[i] {
				if left[name+"."+m.Name] {
					continue
				}
				calls++
				value := inFiber(t, func(f *stackful.Fiber) {
					method := reflect.ValueOf(of(f)).Method(i)
					in := arguments(f, method.Type())[n]
					if method.Type().IsVariadic() {
						method.CallSlice(in)
					} else {
						method.Call(in)
					}
				})
				if err, ok := value.(error); ok {
					if bad := runtime.Error(nil); errors.As(err, &bad) {
						t.Errorf("%s.%s, combination %d: %v", name, m.Name, n, err)
					}
				}
			}
		}
	}
	require.Greater(t, calls, 100)
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
