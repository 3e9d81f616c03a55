package memwire_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/island/bridge/memwire"
)

func ExampleWire() {
	m := memwire.New(7, memwire.Faults{Duplicate: 1})
	left, right := m.Ends()
	right.Attach(func(frame []byte) { fmt.Println(string(frame)) })
	_ = left.Send([]byte("once"))
	m.Partition(true)
	_ = left.Send([]byte("never"))
	// Output:
	// once
	// once
}

func ExampleEnd() {
	left, right := memwire.New(0, memwire.Faults{}).Ends()
	left.Attach(func(frame []byte) { fmt.Printf("%s came to the left\n", frame) })
	_ = right.Send([]byte("a frame"))
	// Output: a frame came to the left
}

func ExampleFaults() {
	m := memwire.New(7, memwire.Faults{Reorder: 1})
	left, right := m.Ends()
	right.Attach(func(frame []byte) { fmt.Println(string(frame)) })
	_ = left.Send([]byte("first"))
	m.SetFaults(memwire.Faults{})
	_ = left.Send([]byte("second"))
	// Output:
	// second
	// first
}
