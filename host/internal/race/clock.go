package race

// Clock is a vector clock: for each thread, up to which of its times everything happens before. Threads
// beyond its end are at 0.
type Clock []uint32

// at is the time of a thread.
func (c Clock) at(thread int) uint32 {
	if thread < len(c) {
		return c[thread]
	}
	return 0
}

// join makes the clock the maximum of both.
func (c Clock) join(other Clock) Clock {
	for i, at := range other {
		if i == len(c) {
			return append(c, other[i:]...)
		}
		c[i] = max(c[i], at)
	}
	return c
}

// copyOf is a clock of its own with the same times.
func copyOf(c Clock) Clock { return append(Clock(nil), c...) }

// Thread is a goroutine, or a fiber of another language.
type Thread struct {
	// Name is that of reports.
	Name string
	// Created is where the goroutine was started, as Detector.Where has returned it; nil for one that
	// the host has started.
	Created any
	// Parent has started it, or nil.
	Parent *Thread

	number int // in clocks
	clock  Clock
}

// tick ends an interval of the thread, because others have learned of its time.
func (t *Thread) tick() { t.clock[t.number]++ }

// sees reports whether an access happens before what the thread does now.
func (t *Thread) sees(a *Access) bool { return a.at <= t.clock.at(a.Thread.number) }

// Snapshot is the clock of the thread as a release: later accesses of the thread are not part of it.
func (t *Thread) Snapshot() Clock {
	c := copyOf(t.clock)
	t.tick()
	return c
}

// Acquire orders what a clock knows before what the thread does from now on.
func (t *Thread) Acquire(c Clock) { t.clock = t.clock.join(c) }
