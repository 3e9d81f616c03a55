package actor

// Names of the package's own that the tests in package actor_test use.
const (
	DefaultFuel        = defaultFuel
	DefaultMaxRestarts = defaultMaxRestarts
)

var (
	ErrStarted = errStarted
	ErrSpec    = errSpec
)

// Phase is "busy" during a turn, else "queued" if commands wait, else "idle".
func (s *System[M]) Phase() string {
	switch {
	case s.busy:
		return "busy"
	case s.queue.len() > 0:
		return "queued"
	}
	return "idle"
}
