package island

import (
	"math/rand/v2"
	"sync"
)

// Faults are what a Memory does to frames, each with a probability between 0 and 1.
type Faults struct {
	Drop      float64
	Duplicate float64 // it comes twice
	Reorder   float64 // it comes after the next one
	Delay     float64 // it comes after up to eight more
	Corrupt   float64 // a bit of it is flipped
}

// Memory is a Transport inside a process, for tests of what a network would do: it has two
// ends, and the same seed makes the same faults to the same frames. Any goroutine may use
// it.
type Memory struct {
	mu          sync.Mutex
	rng         *rand.Rand
	faults      Faults
	partitioned bool
	ends        [2]MemoryEnd
}

// MemoryEnd is one end of a Memory.
type MemoryEnd struct {
	memory  *Memory
	other   *MemoryEnd
	receive func(frame []byte)
	held    []heldFrame // on their way here
}

// heldFrame comes after so many others.
type heldFrame struct {
	frame []byte
	after int
}

var _ Transport = (*MemoryEnd)(nil)

// NewMemory makes a transport with these faults.
func NewMemory(seed uint64, f Faults) *Memory {
	m := &Memory{rng: rand.New(rand.NewPCG(seed, 0)), faults: f}
	for k := range m.ends {
		m.ends[k].memory, m.ends[k].other = m, &m.ends[1-k]
	}
	return m
}

// Ends are the two ends.
func (m *Memory) Ends() (left, right *MemoryEnd) { return &m.ends[0], &m.ends[1] }

// SetFaults changes the faults from now on.
func (m *Memory) SetFaults(f Faults) {
	m.mu.Lock()
	m.faults = f
	m.mu.Unlock()
}

// Partition loses everything, from now on or no more.
func (m *Memory) Partition(on bool) {
	m.mu.Lock()
	m.partitioned = on
	m.mu.Unlock()
}

// Attach has whatever comes to this end given to receive, by whoever sends it.
func (e *MemoryEnd) Attach(receive func(frame []byte)) {
	e.memory.mu.Lock()
	e.receive = receive
	e.memory.mu.Unlock()
}

// Send carries the frame to the other end, as the faults have it. It has no error.
func (e *MemoryEnd) Send(frame []byte) error {
	m := e.memory
	m.mu.Lock()
	arriving, receive := m.pass(e.other, append([]byte(nil), frame...)), e.other.receive
	m.mu.Unlock()
	if receive != nil {
		for _, f := range arriving {
			receive(f)
		}
	}
	return nil
}

// pass is what arrives at the end now that one more frame is on its way there.
func (m *Memory) pass(to *MemoryEnd, frame []byte) (arriving [][]byte) {
	chance := func(p float64) bool { return p > 0 && m.rng.Float64() < p }
	if m.partitioned || chance(m.faults.Drop) {
		return nil
	}
	if chance(m.faults.Corrupt) {
		frame[m.rng.IntN(len(frame))] ^= 1 << m.rng.IntN(8)
	}
	switch {
	case chance(m.faults.Reorder):
		to.held = append(to.held, heldFrame{frame, 1})
		return nil
	case chance(m.faults.Delay):
		to.held = append(to.held, heldFrame{frame, 1 + m.rng.IntN(8)})
		return nil
	}
	arriving = append(arriving, frame)
	if chance(m.faults.Duplicate) {
		arriving = append(arriving, frame)
	}
	return append(arriving, to.release()...)
}

// release is what has been held for long enough.
func (e *MemoryEnd) release() (frames [][]byte) {
	kept := e.held[:0]
	for _, h := range e.held {
		if h.after--; h.after <= 0 {
			frames = append(frames, h.frame)
		} else {
			kept = append(kept, h)
		}
	}
	e.held = kept
	return frames
}
