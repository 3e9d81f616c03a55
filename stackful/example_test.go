package stackful_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// Two fibers and a channel. Time is virtual: the hour passes at once.
func ExampleRuntime() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	jobs := wait.NewChan[string](0)
	rt.Go("producer", func(f *stackful.Fiber) (any, error) {
		for _, job := range []string{"wash", "dry"} {
			if err := stackful.Send(f, jobs, job); err != nil {
				return nil, err
			}
		}
		return nil, stackful.Close(f, jobs)
	})
	rt.Go("worker", func(f *stackful.Fiber) (any, error) {
		for {
			job, ok, err := stackful.Recv(f, jobs)
			if !ok {
				return nil, err
			}
			if err := f.Sleep(time.Hour); err != nil {
				return nil, err
			}
			fmt.Println(job, "done at", f.Now())
		}
	})
	fmt.Println(rt.Run(context.Background()))
	// Output:
	// wash done at 1h0m0s
	// dry done at 2h0m0s
	// <nil>
}

// A deadlock is reported at once, with what each fiber waits for.
func ExampleConfig() {
	rt := stackful.New(stackful.Config{Config: scheduler.Config{MaxFibers: 1}})
	defer rt.Close()
	rt.Go("stuck", func(f *stackful.Fiber) (any, error) {
		return nil, stackful.Send(f, wait.NewChan[int](0), 1)
	})
	_, err := rt.Go("one too many", func(*stackful.Fiber) (any, error) { return nil, nil })
	fmt.Println(errors.Is(err, scheduler.ErrTooManyFibers))

	var deadlock *scheduler.DeadlockError
	fmt.Println(errors.As(rt.Run(context.Background()), &deadlock))
	fmt.Println(deadlock.Report.Fibers[0].Name, deadlock.Report.Fibers[0].On)
	// Output:
	// true
	// true
	// stuck [chan (0 of 0 buffered, receivers waiting: 0, senders waiting: 1)]
}

// Every blocking call can have a deadline.
func ExampleFiber() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	replies := wait.NewChan[string](0)
	rt.Go("client", func(f *stackful.Fiber) (any, error) {
		_, _, err := stackful.RecvUntil(f, replies, f.Within(2*time.Second))
		fmt.Println(f.Now(), err)
		reply, _, err := stackful.RecvUntil(f, replies, f.Within(2*time.Second))
		fmt.Println(f.Now(), reply, err)
		return nil, err
	})
	rt.Go("server", func(f *stackful.Fiber) (any, error) {
		if err := f.Sleep(3 * time.Second); err != nil {
			return nil, err
		}
		return nil, stackful.Send(f, replies, "here you are")
	})
	fmt.Println(rt.Run(context.Background()))
	// Output:
	// 2s stackful: timed out
	// 3s here you are <nil>
	// <nil>
}

// A Func is an ordinary function; another goroutine can have it run and wait for it.
func ExampleFunc() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	sum := func(n int) stackful.Func {
		return func(f *stackful.Fiber) (any, error) {
			total := 0
			for i := range n {
				total += i
				if err := f.Checkpoint(); err != nil {
					return nil, err
				}
			}
			return total, nil
		}
	}
	sender := rt.Scheduler().Inbox().NewSender() // keeps the run going
	go func() {
		defer sender.Close()
		h, _ := rt.Start("sum", sum(10))
		fmt.Println(h.Result(context.Background()))
	}()
	fmt.Println(rt.Run(context.Background()))
	// Output:
	// 45 <nil>
	// <nil>
}

// A Task can be joined by many, before and after its end.
func ExampleTask() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	answer, _ := rt.Go("oracle", func(f *stackful.Fiber) (any, error) {
		return 42, f.Sleep(7500 * time.Hour)
	})
	for range 2 {
		rt.Go("", func(f *stackful.Fiber) (any, error) {
			v, err := f.Join(answer)
			fmt.Println(v, err)
			return nil, err
		})
	}
	fmt.Println(rt.Run(context.Background()))
	fmt.Println(answer.Result())
	// Output:
	// 42 <nil>
	// 42 <nil>
	// <nil>
	// 42 <nil> true
}

// Programs cannot tell what their stacks are made of.
func ExampleBacking() {
	for _, backing := range []stackful.Backing{stackful.Coroutine, stackful.Goroutine} {
		rt := stackful.New(stackful.Config{Backing: backing})
		rt.Go("", func(f *stackful.Fiber) (any, error) {
			fmt.Println(backing, f.Yield())
			return nil, nil
		})
		fmt.Println(rt.Run(context.Background()))
		rt.Close()
	}
	// Output:
	// coroutine <nil>
	// <nil>
	// goroutine <nil>
	// <nil>
}

// A cancelled fiber gets one error for it, and may block while it cleans up.
func ExampleInterrupt() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	worker, _ := rt.Go("worker", func(f *stackful.Fiber) (any, error) {
		err := f.Sleep(time.Hour)
		var stop *stackful.Interrupt
		fmt.Println(errors.As(err, &stop), stop.Killed, stop.Cause)
		fmt.Println("saving:", f.Sleep(time.Second))
		return nil, err
	})
	rt.Go("user", func(f *stackful.Fiber) (any, error) {
		if err := f.Sleep(time.Minute); err != nil {
			return nil, err
		}
		return nil, rt.Scheduler().Cancel(worker.ID(), errors.New("enough"))
	})
	fmt.Println(rt.Run(context.Background()), rt.Scheduler().Now())
	// Output:
	// true false enough
	// saving: <nil>
	// <nil> 1m1s
}

// A panic ends its fiber and nothing else.
func Example_panic() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	task, _ := rt.Go("parser", func(*stackful.Fiber) (any, error) {
		var none []int
		return none[0], nil
	})
	fmt.Println(rt.Run(context.Background()))
	_, err, _ := task.Result()
	var p *scheduler.PanicError
	fmt.Println(errors.As(err, &p), p.Value, len(p.Stack) > 0)
	// Output:
	// <nil>
	// true runtime error: index out of range [0] with length 0 true
}

func ExampleGoexitError() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	task, _ := rt.Go("checker", func(*stackful.Fiber) (any, error) {
		runtime.Goexit() // as FailNow of a test does
		return nil, nil
	})
	fmt.Println(rt.Run(context.Background()))
	_, err, _ := task.Result()
	var exited *stackful.GoexitError
	fmt.Println(errors.Is(err, stackful.ErrGoexit), errors.As(err, &exited), len(exited.Stack) > 0)
	// Output:
	// <nil>
	// true true true
}

// The error of a Join names the fiber that failed.
func ExampleTaskError() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	load, _ := rt.Go("load users.db", func(*stackful.Fiber) (any, error) {
		return nil, errors.New("disk full")
	})
	rt.Go("main", func(f *stackful.Fiber) (any, error) {
		_, err := f.Join(load)
		var failed *stackful.TaskError
		fmt.Println(err)
		fmt.Println(errors.As(err, &failed), failed.Task)
		return nil, nil
	})
	fmt.Println(rt.Run(context.Background()))
	// Output:
	// fiber load users.db: disk full
	// true load users.db
	// <nil>
}
