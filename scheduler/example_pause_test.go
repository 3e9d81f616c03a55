package scheduler_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// A fiber that is paused runs after its Resume, behind the others.
func ExampleAttachments_Pause() {
	s := scheduler.New[string](scheduler.Config{})
	first, _ := s.Spawn("first")
	_, _ = s.Spawn("second")
	_ = s.Attachments().Pause(first.ID())
	fmt.Println(s.Inspect().Paused(first.ID()))
	err := s.Run(context.Background(), scheduler.MachineFunc[string](func(s *scheduler.Scheduler[string], f *scheduler.Fiber[string]) fiber.Outcome {
		fmt.Println(f.Data)
		if f.Data == "second" {
			_ = s.Attachments().Resume(first.ID())
		}
		return fiber.Outcome{Kind: fiber.Done}
	}))
	fmt.Println(err)
	// Output:
	// true
	// second
	// first
	// <nil>
}

// A guest is paused with all its fibers, from another goroutine by a command.
func ExampleGroup_Pause() {
	s := scheduler.New[string](scheduler.Config{})
	guest := s.Attachments().NewGroup(nil, "guest", quota.Limits{})
	_, _ = s.SpawnWith("its fiber", scheduler.Options{Group: guest})
	guest.Pause()
	fmt.Println(s.Poll(), guest.Paused())
	_ = s.Inbox().Do(guest.Resume)
	fmt.Println(s.Poll(), guest.Paused())
	// Output:
	// false true
	// true false
}

// stepping is a machine whose fibers use a thousand steps, a hundred in each slice.
func stepping(guests map[string]*scheduler.Group) scheduler.MachineFunc[*fiberOf] {
	return func(s *scheduler.Scheduler[*fiberOf], f *scheduler.Fiber[*fiberOf]) fiber.Outcome {
		if f.Data.left == 0 {
			fmt.Printf("%s ends at %v\n", f.Data.guest, time.Duration(s.Now()))
			return fiber.Outcome{Kind: fiber.Done}
		}
		f.Data.left -= 100
		if err := guests[f.Data.guest].Take(quota.Steps, 100); err != nil {
			return fiber.Outcome{Kind: fiber.Panic}
		}
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}
}

type fiberOf struct {
	guest string
	left  int
}

// A thousand steps at 500 steps a second take two seconds of the scheduler's time.
func ExampleGroup_SetRate() {
	s := scheduler.New[*fiberOf](scheduler.Config{}) // with a virtual clock
	slow := s.Attachments().NewGroup(nil, "slow", quota.Limits{})
	slow.SetRate(500)
	_, _ = s.SpawnWith(&fiberOf{"slow", 1000}, scheduler.Options{Group: slow})
	fmt.Println(s.Run(context.Background(), stepping(map[string]*scheduler.Group{"slow": slow})))
	// Output:
	// slow ends at 2s
	// <nil>
}

// Of two busy guests, one gets three times the steps of the other.
func ExampleGroup_SetWeight() {
	s := scheduler.New[*fiberOf](scheduler.Config{Budget: 100})
	guests := map[string]*scheduler.Group{}
	for weight, name := range map[int64]string{1: "small", 3: "large"} {
		guests[name] = s.Attachments().NewGroup(nil, name, quota.Limits{})
		guests[name].SetWeight(weight)
	}
	_, _ = s.SpawnWith(&fiberOf{"large", 3000}, scheduler.Options{Group: guests["large"]})
	_, _ = s.SpawnWith(&fiberOf{"small", 1200}, scheduler.Options{Group: guests["small"]})
	fmt.Println(s.Run(context.Background(), stepping(guests)))
	// Output:
	// large ends at 0s
	// small ends at 0s
	// <nil>
}

// A service ends: its guests may finish until the deadline.
func ExampleShutdownError() {
	s := scheduler.New[string](scheduler.Config{})
	guest := s.Attachments().NewGroup(nil, "guest", quota.Limits{})
	ctx, stop := context.WithCancel(context.Background())
	stop()
	over := make(chan time.Time)
	close(over)
	err := guest.Shutdown(ctx, func() <-chan time.Time { return over }) // nothing runs the scheduler
	fmt.Println(errors.As(err, new(*scheduler.ShutdownError)), err)
	// Output: true shutdown: nothing polls the scheduler: a time slice does not end, or no run is under way
}
