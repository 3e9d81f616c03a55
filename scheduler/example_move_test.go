package scheduler_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// A fiber begins in one scheduler and ends in another; its join cell stays.
func ExampleMoved() {
	home := scheduler.New[string](scheduler.Config{Number: 1})
	abroad := scheduler.New[string](scheduler.Config{Number: 2})
	cell := new(ioqueue.Cell)
	id, _ := home.SpawnWith("sort the letters", scheduler.Options{Movable: true, Cell: cell})

	moved, err := home.Moves().MoveOut(id)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err = abroad.Moves().MoveIn(moved); err != nil { // on the goroutine of its owner
		moved.Abandon(err)
	}
	abroad.Poll()
	fmt.Println(abroad.ScheduleNext().Data)
	_, _ = abroad.Exit("sorted", nil)

	home.Poll() // receives the end
	result, _, done := cell.Result()
	fmt.Println(result, done, home.Inspect().Counts().MovedOut, abroad.Inspect().Counts().MovedIn)
	// Output:
	// sort the letters
	// sorted true 1 1
}
