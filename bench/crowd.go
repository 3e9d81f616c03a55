package main

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// million is how many fibers the rows of this file have.
const million = 1_000_000

// chew is the work of one slice of P02: dependent steps, about 30 ns, that start with a value
// read from the fiber.
func chew(x uint64) uint64 {
	for range 60 {
		x = x*0x9E3779B97F4A7C15 + 1
	}
	return x
}

// shuffled is P02: n slices of many fibers whose slots are in the ready queue in random order, as
// they are after fibers have waited for each other for a while. The fibers are made once.
//
//go:noinline
func shuffled(fibers int) func(int) time.Duration {
	var s *scheduler.Scheduler[cell]
	return func(n int) time.Duration {
		if s == nil {
			s = shuffledCrowd(fibers)
		}
		start := time.Now()
		for i := 0; i < n; {
			for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
				f.Data.steps = chew(f.Data.steps)
				s.YieldCurrent()
				i++
			}
			s.Poll()
		}
		return time.Since(start)
	}
}

// shuffledCrowd blocks all fibers and wakes them in random order.
func shuffledCrowd(fibers int) *scheduler.Scheduler[cell] {
	s, tickets := parkedCrowd(fibers)
	rnd := rand.New(rand.NewPCG(7, 8))
	rnd.Shuffle(len(tickets), func(i, j int) { tickets[i], tickets[j] = tickets[j], tickets[i] })
	for _, t := range tickets {
		if s.Deliver(t, fiber.Result{Code: fiber.OK}) != fiber.Woken {
			panic("bench: the ticket did not wake")
		}
	}
	return s
}

func parkedCrowd(fibers int) (*scheduler.Scheduler[cell], []fiber.Ticket) {
	s := scheduler.New[cell](scheduler.Config{})
	for range fibers {
		mustSpawn(s)
	}
	tickets := make([]fiber.Ticket, 0, fibers)
	for len(tickets) < fibers {
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			t, _ := s.BlockForQueue()
			tickets = append(tickets, t)
		}
		s.Poll()
	}
	return s, tickets
}

// oneByOne is the peer of P02 without prefetching and without checks: a ring of slot numbers in
// random order, looked up one by one.
//
//go:noinline
func oneByOne(slots int) func(int) time.Duration {
	type slot struct {
		_    [24]byte // the size of a slot's header
		data cell
	}
	var table []slot
	var ring []uint32
	return func(n int) time.Duration {
		if table == nil {
			table = make([]slot, slots)
			for _, i := range rand.New(rand.NewPCG(7, 8)).Perm(slots) {
				ring = append(ring, uint32(i))
			}
		}
		at, last := 0, uint64(0)
		start := time.Now()
		for range n {
			s := &table[ring[at]]
			// The next slot is not read before this slice has ended, as in a scheduler whose
			// slices are calls of an interpreter.
			s.data.steps = chew(s.data.steps + last&1)
			last = s.data.steps
			if at++; at == slots {
				at = 0
			}
		}
		return time.Since(start)
	}
}

// spawnAndJoin is P17: one fiber spawns n others and waits for the end of all.
func spawnAndJoin(n int) time.Duration {
	s := scheduler.New[cell](scheduler.Config{})
	left := n
	start := time.Now()
	mustSpawn(s)
	for s.ScheduleNext() == nil {
		s.Poll()
	}
	for range n {
		mustSpawn(s)
	}
	parent, _ := s.BlockForQueue()
	for left > 0 {
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			f.Data.steps++
			if left--; left == 0 {
				s.Deliver(parent, fiber.Result{Code: fiber.OK})
			}
			s.KillCurrent()
		}
		s.Poll()
	}
	took := time.Since(start)
	if s.Current() != 0 || s.Inspect().Live() > 1 {
		panic("bench: fibers were lost")
	}
	return took
}

// goAndWait is its peer.
func goAndWait(n int) time.Duration {
	var wg sync.WaitGroup
	start := time.Now()
	for range n {
		wg.Go(func() {})
	}
	wg.Wait()
	return time.Since(start)
}

// collection is P08: the duration of a full garbage collection while n fibers wait.
func collection(park func(n int) (release func())) func(int) time.Duration {
	return func(n int) time.Duration {
		release := park(n)
		runtime.GC() // the garbage of the setup
		start := time.Now()
		runtime.GC()
		took := time.Since(start)
		release()
		return took
	}
}

func parkFibers(n int) (release func()) {
	s, _ := parkedCrowd(n)
	return func() {
		if s.Inspect().Live() != n {
			panic("bench: fibers were lost")
		}
	}
}

func parkGoroutines(n int) (release func()) {
	gate := make(chan struct{})
	var there, gone sync.WaitGroup
	there.Add(n)
	for range n {
		gone.Go(func() {
			there.Done()
			<-gate
		})
	}
	there.Wait()
	return func() {
		close(gate)
		gone.Wait()
	}
}

// overhead and megabytes are P07: the memory of n parked fibers, per fiber beside its payload,
// and in total. A byte, or a megabyte, counts as a nanosecond.
func overhead(n int) time.Duration {
	return time.Duration(crowdBytes(n)/uint64(n) - uint64(unsafe.Sizeof(cell{})))
}

func megabytes(n int) time.Duration { return time.Duration(crowdBytes(n) >> 20) }

func crowdBytes(n int) uint64 {
	before := inUse()
	s, _ := parkedCrowd(n)
	used := inUse() - before
	runtime.KeepAlive(s)
	return used
}

func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// stated is a peer that is a constant: the limit of the goal.
func stated(limit time.Duration) func(int) time.Duration {
	return func(int) time.Duration { return limit }
}

func crowdRows() []row {
	return []row{
		{id: "P02", work: "1M fibers at random, 30 ns slices", peer: "the same with 8 fibers", goal: 1.6, atMost: true, n: 2_000_000,
			ours: shuffled(million), theirs: shuffled(8)},
		{id: "P02", work: "1M fibers at random, looked up ahead", peer: "1M slots, one by one", goal: 4, n: 2_000_000,
			ours: shuffled(million), theirs: oneByOne(million)},
		{id: "P07", work: "a parked fiber beside its payload, bytes", peer: "limit", goal: 1, atMost: true, n: million, whole: true, most: 1, figure: true,
			ours: alone("bytes of a fiber"), theirs: stated(32)},
		{id: "P07", work: "10M parked fibers, MB", peer: "limit", goal: 1, atMost: true, n: 10 * million, whole: true, most: 1, figure: true,
			ours: alone("megabytes of fibers"), theirs: stated(1024)},
		{id: "P08", work: "collection while 1M wait", peer: "goroutines", goal: 50, n: million, whole: true, most: 3, figure: true,
			ours: alone("collection beside fibers"), theirs: alone("collection beside goroutines")},
		{id: "P17", work: "spawn 1M and join", peer: "WaitGroup.Go", goal: 15, n: million, whole: true, most: 5,
			ours: spawnAndJoin, theirs: goAndWait},
	}
}
