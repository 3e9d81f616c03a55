package scheduler_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// A fiber begins in one scheduler and ends in another; its join cell stays.
func ExampleMoved() {
	home := scheduler.New[string](scheduler.Config{Number: 1})
	remote := scheduler.New[string](scheduler.Config{Number: 2})
	cell := new(ioqueue.Cell)
	id, _ := home.SpawnWith("sort the letters", scheduler.Options{Movable: true, Cell: cell})

	moved, err := home.Moves().MoveOut(id)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err = remote.Moves().MoveIn(moved); err != nil { // on the goroutine of its owner
		moved.Abandon(err)
	}
	remote.Poll()
	fmt.Println(remote.ScheduleNext().Data)
	_, _ = remote.Exit("sorted", nil)

	home.Poll() // receives the end
	result, _, done := cell.Result()
	fmt.Println(result, done, home.Inspect().Counts().MovedOut, remote.Inspect().Counts().MovedIn)
	// Output:
	// sort the letters
	// sorted true 1 1
}
