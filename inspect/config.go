package inspect

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/scheduler"
)

// Defaults of a Config.
const (
	DefaultInterval = 500 * time.Millisecond
	DefaultTimeout  = 2 * time.Second
)

// Config is what a Handler is made with. Only Core is required.
type Config struct {
	// Core is the scheduler. Its owner answers each request between two slices.
	Core *scheduler.Core
	// Program is the name that the page shows.
	Program string
	// Stack are the calls that a fiber is in, innermost first, with values or without. The owner calls it. nil:
	// the page shows Inspect.Site only. It is not asked about a fiber that another goroutine runs (Moves.Lend).
	Stack func(id fiber.RegularID, values bool) []frame.Frame
	// Steps is how many steps a fiber has executed, and whether they are counted. The owner calls it, as Stack. nil: they are
	// not shown.
	Steps func(id fiber.RegularID) (steps uint64, counted bool)
	// Source is the text of a source file as Stack and Site name it. It must be safe for concurrent use.
	// The name comes from the guest: answer only for files that the readers of the page may see.
	Source func(file string) ([]byte, bool)
	// History has recent events; nil if nothing records them.
	History History
	// Islands are the schedulers that the program consists of, Core among them, as islands.Of makes them; nil: Core
	// is the only one. It is called for each request, and must be safe for concurrent use. Only their owners
	// touch them: Mine is not used.
	Islands func() []Scheduler
	// Token is what a client must know. If it is empty there is none to know.
	Token string
	// Hosts are names under which the page may be asked for, in addition to localhost, loopback addresses, and
	// the address that has accepted the connection. Others are refused, so that no name of another
	// site can be made to lead here.
	Hosts []string
	// Control allows requests that cancel, kill, pause and resume fibers.
	Control bool
	// Values allows the page to show what the variables of the guest hold.
	Values bool
	// Interval is how old a snapshot may be that requests share, DefaultInterval if it is 0. It becomes longer while a
	// snapshot takes the owner more than a twentieth of it.
	Interval time.Duration
	// Timeout is how long a request waits for the owner, DefaultTimeout if it is 0.
	Timeout time.Duration
}

// History has what a program did recently. The owner of the scheduler calls it, between slices; what it
// returns is the caller's. Instants are nanoseconds of one clock of the History's own choice.
type History interface {
	// Events are the newest events of one fiber, at most n, the oldest of them first. The fiber may have ended.
	Events(of fiber.ID, n int) []Event
	// Slices are periods of fibers that overlap the time from one instant to another: at most n, and if there are
	// more, the latest. They are in the order of their beginnings.
	Slices(from, to int64, n int) []Slice
	// Span is the time for which there are events.
	Span() (from, to int64)
}

// Event is something that happened to a fiber.
type Event struct {
	At         int64  `json:"at"`
	Transition uint64 `json:"transition"`     // its number among those of the scheduler
	What       string `json:"what"`           // the operation, such as "block"
	Text       string `json:"text,omitempty"` // details for people, such as the object and the place
}

// Slice is a period in which a fiber was in one state.
type Slice struct {
	Fiber fiber.ID
	Name  string // of the fiber; "" if it has none, or is to be asked for it
	From  int64
	To    int64
	State string // "running", "runnable", or what it waited on: "queue", "timer", "io"
}
