package island_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/island"
)

// What an island receives and from which islands, and what it sends.
func ExampleEndState() {
	h, _ := island.Start(new(island.Registry), island.StartConfig[int]{
		Config:  island.Config{Name: "home"},
		Machine: counter,
		Begin: func(h *island.Handle[int]) error {
			if _, err := island.Open[int](h.Island, "work", 3); err != nil {
				return err
			}
			s, err := island.Dial[int](h.Island, "work")
			if err != nil {
				return err
			}
			_, _ = s.TrySend(7)
			for _, e := range h.Ends() {
				fmt.Println(e.Port, e.To != nil, e.Capacity, e.Waiting)
			}
			return nil
		},
	})
	fmt.Println(h.Wait(context.Background()))
	// Output:
	// work false 4 0
	// work true 4 0
	// <nil>
}

// How many values of each sender a port has not received.
func ExampleLinkState() {
	h, _ := island.Start(new(island.Registry), island.StartConfig[int]{
		Config:  island.Config{Name: "home"},
		Machine: counter,
		Begin: func(h *island.Handle[int]) error {
			_, _ = island.Open[int](h.Island, "work", 3)
			s, _ := island.Dial[int](h.Island, "work")
			_, _ = s.TrySend(7)
			h.Scheduler.Poll() // the port learns of its sender
			for _, from := range h.Ends()[0].Senders {
				fmt.Println(from.From.Name(), from.Values)
			}
			return nil
		},
	})
	_ = h.Wait(context.Background())
	// Output: home 1
}
