package stackful_test

import (
	"context"
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

func TestAPanicWhileAKilledFiberUnwindsIsReportedBesideTheKill(t *testing.T) {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	victim, err := rt.Go("victim", func(f *stackful.Fiber) (any, error) {
		defer panic("in a defer")
		_, _, err := f.Await(fiber.OnQueue(), nil)
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rt.Go("killer", func(f *stackful.Fiber) (any, error) {
		if err := f.Yield(); err != nil {
			return nil, err
		}
		return nil, rt.Scheduler().Kill(victim.ID(), nil)
	}); err != nil {
		t.Fatal(err)
	}
	if err := rt.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	_, err, _ = victim.Result()
	var panicked *scheduler.PanicError
	if !errors.Is(err, scheduler.ErrKilled) || !errors.As(err, &panicked) || panicked.Value != "in a defer" {
		t.Fatalf("the fiber ended with %v", err)
	}
}

func TestAFiberThatPanicsInsideANativeCallLeavesNoTrampoline(t *testing.T) {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	caller, err := rt.Go("caller", func(*stackful.Fiber) (any, error) {
		for range 3 {
			if _, err := rt.Scheduler().AcquireTrampoline(); err != nil {
				return nil, err
			}
		}
		panic("deep down")
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := rt.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	var panicked *scheduler.PanicError
	if _, err, _ := caller.Result(); !errors.As(err, &panicked) {
		t.Fatalf("the fiber ended with %v", err)
	}
	if n := rt.Scheduler().Inspect().LiveTrampolines(); n != 0 {
		t.Fatalf("%d trampolines are left", n)
	}
}
