package recorder

import (
	"math/bits"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// sums are what a Recorder knows of each fiber and of all, up to the entries that are settled.
type sums struct {
	fibers  []account // by slot
	began   int64
	wakes   Histogram
	slices  Histogram
	pending []uint32 // slots of new fibers whose maker ends its slice later
}

// account is that of the fiber that lives in a slot, or the last one that did.
type account struct {
	since  int64
	busy   int64
	parent fiber.ID
	slices uint64
	gen    uint32
	state  fiber.State
}

// Account is what a Recorder knows of a fiber.
type Account struct {
	Parent fiber.ID      // the fiber that spawned it; 0 if none did
	Since  time.Duration // when it came into its state, since the recording began
	Busy   time.Duration // how long it ran, but for the slice under way
	Slices uint64        // how many time slices it had
}

// Account is what is known of a fiber, as of the last Flush; ok is false if the fiber does not live or is older
// than the recording, and without Config.Accounts. The scheduler's owner calls it. It costs no time that depends on the number of fibers.
func (r *Recorder) Account(id fiber.ID) (a Account, ok bool) {
	r.join()
	slot, regular := id.Regular()
	if !regular || int(id.Index()) >= len(r.sums.fibers) {
		return Account{}, false
	}
	of := &r.sums.fibers[id.Index()]
	if of.gen != id.Generation() || slot.ID() != id || of.state == fiber.Dead {
		return Account{}, false
	}
	return Account{of.parent, time.Duration(of.since - r.sums.began), time.Duration(of.busy), of.slices}, true
}

// Now is the last instant that is recorded, since the recording began. After Flush it is the present.
func (r *Recorder) Now() time.Duration { return time.Duration(r.clock.now - r.sums.began) }

// Began is what Config.Clock told when the recording began, from which the instants of its events count: with one clock
// those of several recordings can be compared. Any goroutine may ask.
func (r *Recorder) Began() int64 { return r.sums.began }

// Histogram counts durations by their order of magnitude.
type Histogram struct {
	Counts [40]uint64    // Counts[i] is of those below 1<<i nanoseconds and not below half of that
	Sum    time.Duration // of all
}

func (h *Histogram) add(d int64, n uint64) {
	d = max(d, 0)
	h.Counts[min(bits.Len64(uint64(d)), len(h.Counts)-1)] += n
	h.Sum += time.Duration(d) * time.Duration(n)
}

// count is add for one duration, without the sum, which it returns for the caller to add.
func (h *Histogram) count(d int64) int64 {
	d = max(d, 0)
	h.Counts[min(bits.Len64(uint64(d)), len(h.Counts)-1)]++
	return d
}

// Count is how many durations there are.
func (h *Histogram) Count() (n uint64) {
	for _, c := range h.Counts {
		n += c
	}
	return n
}

// Histograms are how long fibers were ready before they ran, and how long their time slices took: of the whole recording
// up to the last Flush. Without Config.Accounts they are not kept.
func (r *Recorder) Histograms() (wakes, slices Histogram, kept bool) {
	r.join()
	return r.sums.wakes, r.sums.slices, r.cfg.Accounts
}

// account gives the account of a slot.
func (s *sums) account(slot uint32) *account {
	if int(slot) >= len(s.fibers) {
		s.grow(slot)
	}
	return &s.fibers[slot]
}

// grow makes accounts up to the slot.
func (s *sums) grow(slot uint32) {
	for int(slot) >= len(s.fibers) {
		s.fibers = append(s.fibers, make([]account, max(64, len(s.fibers)))...)
	}
}
