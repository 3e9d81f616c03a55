package fiber

// Link ties the end of one fiber to others (package scope is made of links). The
// scheduler tells it when the fiber dies: one that was spawned with it, or one that tied
// itself to it while it ran. It never calls the scheduler; what it decides it appends to
// wakes and orders, and that is carried out, in this order, before the next operation.
type Link interface {
	Died(d Death, wakes []Wakeup, orders []Order) ([]Wakeup, []Order)
}

// Death is how a fiber ended.
type Death struct {
	ID     ID
	Name   string
	Result any
	Err    error // nil after a plain return
	// Cause is that of a cancellation, nil if there was none. Whether the fiber ended
	// because of it, its Err says.
	Cause  error
	Killed bool
}

// Order is decided about a fiber whatever it does or waits for: it is to be cancelled or
// killed. An order for one that has died means nothing.
type Order struct {
	ID    ID
	Kill  bool // its deferred calls are skipped
	Cause error
}
