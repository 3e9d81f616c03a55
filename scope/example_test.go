package scope_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/scope"
)

// code is what a fiber of the examples does in its next slice.
type code func(s *scheduler.Scheduler[code]) fiber.Outcome

// run runs an owner that opens a scope, has it filled, and waits for its end.
func run(o scope.Options, fill func(s *scheduler.Scheduler[code], sc *scope.Scope)) (value any, err error) {
	sched := scheduler.New[code](scheduler.Config{})
	var sc *scope.Scope
	sched.Spawn(func(s *scheduler.Scheduler[code]) fiber.Outcome {
		if sc == nil {
			sc = scope.Open(&s.Core, o, fiber.Never)
			fill(s, sc)
		} else {
			sc.Collect(s.Claim())
		}
		if sc.Try() {
			value, err = sc.Close()
			return fiber.Outcome{Kind: fiber.Done}
		}
		sc.Park(s.Arm(sc.Reason(), sc))
		return fiber.BlockOn(sc.Reason())
	})
	sched.Run(context.Background(), scheduler.MachineFunc[code](
		func(s *scheduler.Scheduler[code], f *scheduler.Fiber[code]) fiber.Outcome { return f.Data(s) }))
	return value, err
}

// ends is a fiber that ends like this.
func ends(result any, err error) code {
	return func(s *scheduler.Scheduler[code]) fiber.Outcome {
		s.SetResult(result, err)
		return fiber.Outcome{Kind: fiber.Done}
	}
}

// sleeper is a fiber that waits until it is cancelled.
func sleeper() code {
	slept := false
	return func(s *scheduler.Scheduler[code]) fiber.Outcome {
		if !slept {
			slept = true
			return fiber.BlockOn(fiber.OnQueue())
		}
		cause := s.Unwind().Cause(s.Current())
		fmt.Println("told:", cause)
		return ends(nil, cause)(s)
	}
}

// The first failure cancels the others, and the scope ends when they have.
func Example() {
	_, err := run(scope.Options{Name: "crawl"}, func(s *scheduler.Scheduler[code], sc *scope.Scope) {
		scope.Spawn(s, sc, sleeper(), scheduler.Options{Name: "slow"})
		scope.Spawn(s, sc, ends(nil, errors.New("404")), scheduler.Options{Name: "broken"})
	})
	fmt.Println("ended:", err)
	// Output:
	// told: scope "crawl": fiber f2.1 "broken" failed: 404
	// ended: scope "crawl": fiber f2.1 "broken" failed: 404
}

func ExampleScope() {
	run(scope.Options{Name: "crawl"}, func(s *scheduler.Scheduler[code], sc *scope.Scope) {
		scope.Spawn(s, sc, ends(nil, nil), scheduler.Options{})
		scope.Spawn(s, sc, sleeper(), scheduler.Options{})
		fmt.Println(sc.Describe(), "of", sc.Owner(), sc.Holders(nil))
		sc.Stop()
	})
	// Output:
	// scope "crawl" (2 fibers) of f0.1 [f1.1 f2.1]
	// told: its scope needs it no more
}

func ExampleOptions() {
	failing := func(s *scheduler.Scheduler[code], sc *scope.Scope) {
		scope.Spawn(s, sc, ends(nil, errors.New("one")), scheduler.Options{})
		scope.Spawn(s, sc, ends(nil, errors.New("two")), scheduler.Options{})
	}
	_, err := run(scope.Options{}, failing)
	fmt.Println(err)
	_, err = run(scope.Options{Policy: scope.WaitAll}, failing)
	fmt.Println(err)
	// Output:
	// scope: fiber f1.1 failed: one
	// scope: fiber f1.1 failed: one
	// scope: fiber f2.1 failed: two
}

func ExamplePolicy() {
	value, err := run(scope.Options{Policy: scope.AnySuccess}, func(s *scheduler.Scheduler[code], sc *scope.Scope) {
		scope.Spawn(s, sc, ends(nil, errors.New("mirror 1 is down")), scheduler.Options{})
		scope.Spawn(s, sc, ends("from mirror 2", nil), scheduler.Options{})
		scope.Spawn(s, sc, sleeper(), scheduler.Options{})
	})
	fmt.Println(scope.AnySuccess, value, err)
	// Output:
	// told: its scope needs it no more
	// any success from mirror 2 <nil>
}

func ExampleFailure() {
	_, err := run(scope.Options{Name: "crawl"}, func(s *scheduler.Scheduler[code], sc *scope.Scope) {
		scope.Spawn(s, sc, ends(nil, context.DeadlineExceeded), scheduler.Options{Name: "fetch"})
	})
	var failure *scope.Failure
	fmt.Println(errors.As(err, &failure), failure.Name, errors.Is(err, context.DeadlineExceeded))
	// Output: true fetch true
}

func ExampleCancelError() {
	stop := errors.New("enough")
	_, err := run(scope.Options{Name: "crawl"}, func(_ *scheduler.Scheduler[code], sc *scope.Scope) {
		sc.Cancel(stop)
	})
	var cancelled *scope.CancelError
	fmt.Println(errors.As(err, &cancelled), err, errors.Is(err, stop))
	// Output: true scope "crawl" was cancelled: enough true
}

func ExampleClosedError() {
	run(scope.Options{Name: "crawl"}, func(s *scheduler.Scheduler[code], sc *scope.Scope) {
		sc.Stop()
		_, err := scope.Spawn(s, sc, sleeper(), scheduler.Options{})
		fmt.Println(err)
		var closed *scope.ClosedError
		fmt.Println(errors.As(err, &closed), errors.Is(err, scope.ErrClosed))
	})
	// Output:
	// scope "crawl" takes no more fibers: its scope needs it no more
	// true true
}
