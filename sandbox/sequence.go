package sandbox

import (
	"io"
	"math/rand/v2"
	"sync"
	"time"
)

// Now is the wall-clock time of the guest when the scheduler's time is elapsed.
func (a Access) Now(elapsed time.Duration) time.Time {
	start := a.Start
	if start.IsZero() {
		start = time.Unix(0, 0).UTC()
	}
	return start.Round(0).Add(elapsed) // without the monotonic clock, which is not the scheduler's
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
