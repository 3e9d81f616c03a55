package stack_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/internal/stack"
)

func ExampleStack() {
	s := stack.New(stack.Coroutine, func(s *stack.Stack) {
		for i := range 3 {
			fmt.Println("step", i)
			s.Suspend()
		}
	})
	for !s.Resume() {
		fmt.Println("suspended")
	}
	fmt.Println(s.Err())
	// Output:
	// step 0
	// suspended
	// step 1
	// suspended
	// step 2
	// suspended
	// <nil>
}

func ExamplePool() {
	pool := stack.NewPool(stack.Goroutine, 8)
	defer pool.Close()
	for _, name := range []string{"first", "second"} {
		pool.New(func(*stack.Stack) { fmt.Println(name) }).Resume()
	}
	fmt.Println(pool.Idle(), "goroutine was enough")
	// Output:
	// first
	// second
	// 1 goroutine was enough
}

func ExamplePanicError() {
	s := stack.New(stack.Coroutine, func(*stack.Stack) { panic("no such file") })
	s.Resume()
	fmt.Println(s.Err())
	// Output: panic: no such file
}

func ExampleBacking() {
	fmt.Println(stack.Coroutine, stack.Goroutine)
	// Output: coroutine goroutine
}
