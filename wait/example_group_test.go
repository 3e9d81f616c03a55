package wait_test

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/wait"
)

// three are the ends of fibers 1 to 3, as fiber 9 joins them.
func three() (cells [3]*ioqueue.Cell, joins []wait.Join) {
	for i := range cells {
		cells[i] = new(ioqueue.Cell)
		cells[i].SetOwner(id(uint32(i + 1)))
		j, _ := wait.JoinOn(cells[i], id(9))
		joins = append(joins, j)
	}
	return cells, joins
}

// The second of three fails: the group is done, and names the fibers to cancel.
func ExampleGroup() {
	cells, joins := three()
	var g wait.Group
	g.Reset(wait.FirstError, joins...)
	fmt.Println(g.Try())
	t := fiber.Ticket{ID: id(9), Seq: 1}
	fmt.Println(g.Park(t))

	wakes, _ := cells[1].Complete(nil, errors.New("it broke"), nil)
	for _, src := range g.Sources(nil) {
		src.Withdraw(t, nil) // the scheduler's part of the delivery
	}
	fmt.Println(g.Collect(t, wakes[0].Result))
	i, done := g.Try()
	_, _, err := joins[i].Try()
	fmt.Println(i, done, err, g.Unfinished(nil))
	// Output:
	// -1 false
	// <nil>
	// true
	// 1 true it broke [f1.1 f3.1]
}

func ExampleGoal() {
	for _, goal := range []wait.Goal{wait.All, wait.FirstError, wait.Any} {
		cells, joins := three()
		cells[0].Complete(nil, errors.New("it broke"), nil)
		cells[1].Complete("fine", nil, nil)
		var g wait.Group
		g.Reset(goal, joins...)
		fmt.Println(g.Try())
	}
	// Output:
	// -1 false
	// 0 true
	// 1 true
}
