package scheduler_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// workerDevice runs each operation in a goroutine.
type workerDevice struct {
	core *scheduler.Core
	done chan fiber.Token
}

func (b *workerDevice) begin(tok fiber.Token) {
	go func() {
		b.done <- tok
		b.core.Inbox().Notify()
	}()
}

func (b *workerDevice) Serve([]fiber.Token) {} // it begins at once, and cancels nothing

func (b *workerDevice) Collect() {
	for len(b.done) > 0 {
		b.core.Ops().Complete(<-b.done, ioqueue.Completion{N: 7})
	}
}

func ExampleCollector() {
	s := scheduler.New[int](scheduler.Config{})
	b := &workerDevice{core: &s.Core, done: make(chan fiber.Token, 1)}
	s.Ops().AddDevice(b)
	_, _ = s.Spawn(0)
	var tok fiber.Token
	err := s.Run(context.Background(), scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], _ *scheduler.Fiber[int]) fiber.Outcome {
		if tok == 0 {
			tok, _ = s.Ops().Submit()
			b.begin(tok)
			return fiber.BlockOn(fiber.OnIO(tok))
		}
		s.Claim()
		done, _ := s.Ops().Completion(tok)
		fmt.Println(done.N)
		return fiber.Outcome{Kind: fiber.Done}
	}))
	fmt.Println(err)
	// Output:
	// 7
	// <nil>
}
