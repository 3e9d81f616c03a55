package fiber_test

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// twins live and die together.
type twins [2]fiber.ID

// Died is the death of one.
func (w *twins) Died(d fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	for _, id := range w {
		if id != d.ID && d.Err != nil {
			orders = append(orders, fiber.Order{ID: id, Cause: fmt.Errorf("%v died: %w", d.ID, d.Err)})
		}
	}
	return wakes, orders
}

func ExampleLink() {
	one, two := fiber.NewRegularID(1, 1).ID(), fiber.NewRegularID(2, 1).ID()
	var link fiber.Link = &twins{one, two}
	_, orders := link.Died(fiber.Death{ID: one, Err: errors.New("boom")}, nil, nil)
	for _, o := range orders {
		fmt.Println("cancel", o.ID, "because", o.Cause)
	}
	// Output: cancel f2.1 because f1.1 died: boom
}

func ExampleDeath() {
	returned := fiber.Death{ID: fiber.NewRegularID(1, 1).ID(), Result: 42}
	fmt.Println(returned.Result, returned.Err, returned.Killed)
	// Output: 42 <nil> false
}

func ExampleOrder() {
	o := fiber.Order{ID: fiber.NewRegularID(1, 1).ID(), Kill: true, Cause: errors.New("its owner died")}
	fmt.Println(o.ID, o.Kill, o.Cause)
	// Output: f1.1 true its owner died
}
