package recorder

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// DefaultSize is the Size of a zero Config.
const DefaultSize = 16 << 20

// Config is what a Recorder is made with. The zero Config is usable.
type Config struct {
	// Size is how many bytes the recent events may use, at least 1 MB; 0 is DefaultSize.
	Size int
	// Accounts keeps what each fiber has used, for Account, Slices and Wakes. It costs 56 bytes for each slot of the
	// scheduler, and about five nanoseconds for each event, on a goroutine of its own.
	Accounts bool
	// Exact gives each time slice instants of its own, and each wait its object. A slice then costs about a tenth of
	// a microsecond more, so it is for engines whose slices are longer than that.
	Exact bool
	// Function is the innermost function of the guest that a fiber is in, for Event.Function; "" is none. A fiber that
	// has just been spawned is asked for the one that it will begin with. The owner calls it, where it asks for places too,
	// and so as seldom. Nil: functions are not known.
	Function func(fiber.RegularID) string
	// Clock tells the time in nanoseconds from any origin; it never goes back. Nil is the time of the process.
	Clock func() int64
	// Each is called with every event, in order, some time after it happened: when a part of the memory is full, and at
	// Flush. The event is valid during the call. Nil is not called. With it every event has its place; else
	// places and functions are left out while they cost more than 2 % of the time.
	Each func(*Event)
}

// Recorder keeps the recent events of one scheduler, whose owner calls all methods.
type Recorder struct {
	cfg  Config
	of   scheduler.Inspect
	core *scheduler.Core // nil before Attach

	full   []*chunk // the oldest first
	last   *chunk   // where events are added
	spare  *chunk   // nil, or one to use again
	chunks int      // how many there may be
	room   room     // of each

	clock    pace
	since    since // of the last mark
	detail   detail
	objects  objects
	places   texts
	names    texts
	guests   texts         // functions
	sums     sums          // of settling while it is not nil
	settling chan struct{} // closed when the goroutine that settles a full chunk has ended; nil if there is none
	teller   decoder       // for Config.Each
}

// New makes a Recorder, which a scheduler uses when its Config has been through Configure.
func New(cfg Config) *Recorder {
	if cfg.Size <= 0 {
		cfg.Size = DefaultSize
	}
	if cfg.Clock == nil {
		origin := time.Now()
		cfg.Clock = func() int64 { return int64(time.Since(origin)) }
	}
	room := usualRoom
	if cfg.Exact {
		room = exactRoom
	}
	room = room.of(cfg.Size)
	r := &Recorder{cfg: cfg, room: room, chunks: max(cfg.Size/room.bytes(), 3), last: newChunk(room)}
	r.clock = pace{read: cfg.Clock, exact: cfg.Exact, every: 1}
	r.clock.now = cfg.Clock()
	r.since = since{r.clock.now, r.clock.now}
	r.last.begin(0, r.since)
	r.sums.began = r.clock.now
	return r
}

// Configure has the scheduler that is made with the Config record its events here. One scheduler uses a
// Recorder, which knows names, objects and places from Attach on.
func (r *Recorder) Configure(cfg *scheduler.Config) {
	cfg.Record, cfg.OneByOne = r.record, r.cfg.Exact
}

// Attach names the scheduler whose events these are. It is called before the first event.
func (r *Recorder) Attach(core *scheduler.Core) { r.core, r.of = core, core.Inspect() }

// record is Config.Record of the scheduler. Entries with between came from outside of the slices.
func (r *Recorder) record(entries []scheduler.Entry, between bool, turns int) (each bool) {
	if len(entries) > 0 {
		r.add(entries, between)
	}
	idle := between && r.core != nil && !r.core.HasWork()
	if at, read := r.clock.tick(turns, idle); read {
		r.mark(at)
	}
	return r.clock.detailed() || r.clock.slept
}

// add keeps the entries.
func (r *Recorder) add(entries []scheduler.Entry, between bool) {
	if !r.last.hasRoom(len(entries)) {
		r.nextChunk()
	}
	c := r.last
	if between {
		c.outside = append(c.outside, span{uint32(len(c.entries)), uint32(len(entries))})
	}
	first := len(c.entries)
	c.entries = append(c.entries, entries...)
	if r.core != nil && r.clock.detailed() {
		r.addDetails(c.entries[first:], uint32(first))
	}
}

// mark notes that the entries so far happened before the instant.
func (r *Recorder) mark(at int64) {
	m := mark{index: uint32(len(r.last.entries)), at: at}
	if r.core != nil {
		if id := r.core.Current(); id != 0 {
			m.current = id.Index() + 1
		}
	}
	before := 0
	if n := len(r.last.marks); n > 0 {
		before = int(r.last.marks[n-1].index)
	}
	r.since.pass(m, r.last.entries[before:])
	r.last.marks = append(r.last.marks, m)
}

// nextChunk begins a chunk, in place of the oldest if there are as many as there may be.
func (r *Recorder) nextChunk() {
	done := r.last
	if !done.covered() {
		r.mark(r.clock.force())
	}
	r.settleBeside(done)
	r.full = append(r.full, done)
	if len(r.full)+1 > r.chunks { // the oldest is settled: two are there at least, and one is in work at most
		r.spare = r.full[0]
		r.full = append(r.full[:0], r.full[1:]...)
	}
	next := r.spare
	if r.spare = nil; next == nil {
		next = newChunk(r.room)
	}
	next.begin(done.first+uint64(len(done.entries)), r.since)
	r.last = next
}

// Flush has the scheduler hand over what it has not yet, and brings the sums up to date. Every method
// that tells something calls it.
func (r *Recorder) Flush() {
	if r.core != nil {
		r.of.Flush()
	}
	r.join()
	if at := r.clock.force(); len(r.last.entries) > 0 {
		r.mark(at)
	}
	r.settle(r.last)
}
