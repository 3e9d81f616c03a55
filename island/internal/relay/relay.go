package relay

import "github.com/selvage-dev/selvage/fiber"

// Bridge is a bridge as its island sees it.
type Bridge interface {
	// Busy tells whether values or acknowledgements are in transit, so that an idle island
	// waits for them.
	Busy() bool
	// Next is when the bridge wants to be served at the latest.
	Next() fiber.Time
	// Serve sends again what was not acknowledged in time. It is called at every turn.
	Serve()
	// Leave tells the other side that the island ends, and why.
	Leave(cause error)
}

// Island is an island as its bridge sees it.
type Island interface {
	// Now is the time of the island's scheduler.
	Now() fiber.Time
	// Signal returns a function for any goroutine that has the owner call handle soon. Calls
	// before the owner gets to it are combined.
	Signal(handle func()) (raise func())
	// Request counts a request of a fiber of this island that waits for tok. reply completes
	// it; any goroutine may call reply, once.
	Request(tok fiber.Token) (reply func(id fiber.ID, err error))
	// Forward sends an encoded command to the island of this registry that it names. reply
	// is called once by the owner of that island, unless Forward returns an error.
	Forward(frame []byte, reply func(id fiber.ID, err error)) error
}

// Port is an imported port: a bridge receives its values to send them to the other side.
type Port[T any] interface {
	// OnArrival sets what is called when there may be a value, or the end of the port.
	OnArrival(func())
	// CloseFor closes the port, unless it is closed; receivers and senders learn the cause.
	CloseFor(cause error)
	// Lose hands a value that cannot be delivered any more to the hook of OnLost.
	Lose(v T)
}

// Sender is the sender by which a bridge delivers values from the other side.
type Sender interface {
	// OnRoom sets what is called when a value may fit again, or when the port is closed.
	OnRoom(func())
	// AwaitRoom asks for one such call.
	AwaitRoom()
	// CloseFor closes the sender, unless it is closed; receivers learn the cause.
	CloseFor(cause error)
}
