package sandbox

import (
	"io"
	"math/rand/v2"
	"sync"
	"time"
)

// Now is the wall-clock time of the guest when that much of the scheduler's time has passed.
func (a Access) Now(elapsed time.Duration) time.Time {
	start := a.Start
	if a.process && start.Equal(a.system) {
		return time.Now().In(start.Location())
	}
	if start.IsZero() {
		start = time.Unix(0, 0).UTC()
	}
	return start.Round(0).Add(elapsed) // without the monotonic clock, which is not the scheduler's
}

// After is the Access for a guest that begins when that much of the scheduler's time has passed: its clock
// goes on.
func (a Access) After(elapsed time.Duration) Access {
	if !a.process || !a.Start.Equal(a.system) {
		a.Start = a.Now(elapsed)
	}
	return a
}

// Entropy is Random, or a fixed sequence from its beginning.
func (a Access) Entropy() io.Reader {
	if a.Random != nil {
		return a.Random
	}
	return &sequence{from: rand.NewChaCha8([32]byte{})}
}

// sequence is a source of random numbers that several goroutines may read.
type sequence struct {
	mu   sync.Mutex
	from *rand.ChaCha8
}

// Read fills p.
func (s *sequence) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.from.Read(p)
}
