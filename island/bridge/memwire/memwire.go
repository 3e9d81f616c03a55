package memwire

import (
	"math/rand/v2"
	"sync"
)

// Faults are what a Wire does to frames, each with a probability between 0 and 1.
type Faults struct {
	Drop      float64
	Duplicate float64 // the frame arrives twice
	Reorder   float64 // it arrives after the next one
	Delay     float64 // it arrives after up to eight others
	Corrupt   float64 // one of its bits is flipped
}

// Wire connects two Ends. The same seed makes the same faults to the same frames. Any
// goroutine may use it.
type Wire struct {
	mu          sync.Mutex
	rng         *rand.Rand
	faults      Faults
	partitioned bool
	ends        [2]End
}

// End is one end of a Wire, and implements bridge.Transport.
type End struct {
	wire    *Wire
	other   *End
	receive func(frame []byte)
	delayed []delayedFrame // on their way to this end
}

// delayedFrame arrives after that many others.
type delayedFrame struct {
	frame []byte
	after int
}

// New makes a wire with these faults.
func New(seed uint64, f Faults) *Wire {
	w := &Wire{rng: rand.New(rand.NewPCG(seed, 0)), faults: f}
	for k := range w.ends {
		w.ends[k].wire, w.ends[k].other = w, &w.ends[1-k]
	}
	return w
}

// Ends are the two ends.
func (w *Wire) Ends() (left, right *End) { return &w.ends[0], &w.ends[1] }

// SetFaults changes the faults from now on.
func (w *Wire) SetFaults(f Faults) {
	w.mu.Lock()
	w.faults = f
	w.mu.Unlock()
}

// Partition loses every frame while it is on.
func (w *Wire) Partition(on bool) {
	w.mu.Lock()
	w.partitioned = on
	w.mu.Unlock()
}

// Attach sets the receiver of this end. The goroutine that sends a frame calls it.
func (e *End) Attach(receive func(frame []byte)) {
	e.wire.mu.Lock()
	e.receive = receive
	e.wire.mu.Unlock()
}

// Send carries a copy of the frame to the other end, subject to the faults. It never fails.
// The receiver is called without the lock, because it may send in turn.
func (e *End) Send(frame []byte) error {
	w := e.wire
	w.mu.Lock()
	arriving, receive := w.transmit(e.other, append([]byte(nil), frame...)), e.other.receive
	w.mu.Unlock()
	if receive != nil {
		for _, f := range arriving {
			receive(f)
		}
	}
	return nil
}

// transmit puts one more frame on its way and returns those that arrive now.
func (w *Wire) transmit(to *End, frame []byte) (arriving [][]byte) {
	chance := func(p float64) bool { return p > 0 && w.rng.Float64() < p }
	if w.partitioned || chance(w.faults.Drop) {
		return nil
	}
	if chance(w.faults.Corrupt) {
		frame[w.rng.IntN(len(frame))] ^= 1 << w.rng.IntN(8)
	}
	switch {
	case chance(w.faults.Reorder):
		to.delayed = append(to.delayed, delayedFrame{frame, 1})
		return nil
	case chance(w.faults.Delay):
		to.delayed = append(to.delayed, delayedFrame{frame, 1 + w.rng.IntN(8)})
		return nil
	}
	arriving = append(arriving, frame)
	if chance(w.faults.Duplicate) {
		arriving = append(arriving, frame)
	}
	return append(arriving, to.dueFrames()...)
}

// dueFrames counts one frame that has arrived, and returns the delayed ones that follow it.
func (e *End) dueFrames() (frames [][]byte) {
	kept := e.delayed[:0]
	for _, d := range e.delayed {
		if d.after--; d.after <= 0 {
			frames = append(frames, d.frame)
		} else {
			kept = append(kept, d)
		}
	}
	e.delayed = kept
	return frames
}
