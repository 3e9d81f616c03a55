package wheel

import (
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

func timer(d fiber.Time, seq uint64) Entry {
	return Entry{Deadline: d, Ticket: fiber.Ticket{ID: 1 << 32, Seq: seq}}
}

func everyEntry(Entry) bool { return true }

func TestEqualDeadlinesComeInTheOrderTheyWereRegistered(t *testing.T) {
	var w Wheel
	const at = fiber.Time(3 * time.Hour)
	seq := uint64(0)
	// Registered from nearer and nearer, so through ever lower levels.
	for now := fiber.Time(0); now < at; now += (at-now)/2 + 1 {
		w.Add(timer(now, 1<<40))
		for range 50 {
			seq++
			w.Add(timer(at, seq))
		}
		if e, ok := w.PopDue(now); !ok || e.Ticket.Seq != 1<<40 {
			t.Fatalf("at %v: %v %v", now, e, ok)
		}
	}
	for want := uint64(1); want <= seq; want++ {
		if e, ok := w.PopDue(at); !ok || e.Ticket.Seq != want {
			t.Fatalf("popped %v %v, want registration %d", e, ok, want)
		}
	}
}

func TestNothingComesBeforeItsInstant(t *testing.T) {
	var w Wheel
	for _, d := range []fiber.Time{1, 63, 64, 4095, 4096, 1 << 40, fiber.Never - 1} {
		w.Add(timer(d, 1))
		if e, ok := w.PopDue(d - 1); ok {
			t.Fatalf("%v came at %v", e, d-1)
		}
		if next, ok := w.Next(everyEntry); !ok || next != d {
			t.Fatalf("Next = %v %v, want %v", next, ok, d)
		}
		if _, ok := w.PopDue(d); !ok {
			t.Fatalf("nothing came at %v", d)
		}
	}
}

func TestAnOverdueTimerComesBeforeThoseThatAreDueNow(t *testing.T) {
	var w Wheel
	w.Add(timer(100, 1))
	w.Add(timer(100, 2))
	w.PopDue(100)
	w.Add(timer(50, 3))
	w.Add(timer(-7, 4))
	w.Add(timer(50, 5))
	for _, want := range []uint64{4, 3, 5, 2} {
		if e, ok := w.PopDue(100); !ok || e.Ticket.Seq != want {
			t.Fatalf("popped %v %v, want %d", e, ok, want)
		}
	}
}

func TestTimeoutsThatNeverFireDoNotPileUp(t *testing.T) {
	var w Wheel
	dead := map[uint64]bool{}
	const rounds = 100_000
	for seq := uint64(1); seq <= rounds; seq++ {
		w.Add(timer(fiber.Time(time.Minute)+fiber.Time(seq), seq))
		dead[seq] = true
		w.NoteStale()
		if w.NeedsCompaction() {
			w.Compact(func(e Entry) bool { return !dead[e.Ticket.Seq] })
		}
	}
	if w.Len() > smallest || w.pool.used > levels {
		t.Fatalf("%d entries in %d chunks after %d cancelled timeouts", w.Len(), w.pool.used, rounds)
	}
}

func TestLiveTimersOutnumberingStaleOnesAreLeftAlone(t *testing.T) {
	var w Wheel
	for seq := range uint64(2 * smallest) {
		w.Add(timer(1000, seq+1))
	}
	for range smallest {
		w.NoteStale()
	}
	if w.NeedsCompaction() {
		t.Fatal("compaction with as many live as stale")
	}
	if w.NoteStale(); !w.NeedsCompaction() {
		t.Fatal("no compaction with more stale than live")
	}
	for range smallest {
		w.PopDue(1000)
	}
	if w.stale > w.Len() {
		t.Fatalf("%d stale of %d", w.stale, w.Len())
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	var w Wheel
	now, seq := fiber.Time(0), uint64(0)
	live := func(e Entry) bool { return e.Ticket.Seq%2 == 0 }
	round := func() {
		for i := range fiber.Time(2000) {
			seq++
			w.Add(timer(now+i*i*977%1_000_003, seq))
			if seq%2 == 1 {
				w.NoteStale()
			}
			if w.NeedsCompaction() {
				w.Compact(live)
			}
		}
		now += 1_000_003
		for _, ok := w.PopDue(now); ok; _, ok = w.PopDue(now) {
		}
	}
	for range 200 {
		round() // the clock visits every level and bucket it will use
	}
	if n := testing.AllocsPerRun(200, round); n != 0 {
		t.Fatalf("%v allocations per round", n)
	}
}

func TestMemoryOfABurstIsGivenBack(t *testing.T) {
	var w Wheel
	for seq := range uint64(100_000) {
		w.Add(timer(fiber.Time(seq), seq+1))
	}
	grown := w.pool.used
	for {
		if _, ok := w.PopDue(100_000); !ok {
			break
		}
	}
	for seq := range uint64(600_000) { // a calm period: two timers at a time
		at := fiber.Time(100_000 + seq)
		w.Add(timer(at, seq+1))
		w.Add(timer(at, seq+1))
		w.PopDue(at)
		w.PopDue(at)
	}
	if w.pool.nfree > 2*spare {
		t.Fatalf("%d chunks kept of %d", w.pool.nfree, grown)
	}
}

func TestNextNamesNoWithdrawnDeadlineAndForgetsThoseItPasses(t *testing.T) {
	var w Wheel
	odd := func(e Entry) bool { return e.Ticket.Seq%2 == 1 }
	for seq := range uint64(smallest - 2) { // too few for a compaction
		w.Add(timer(fiber.Time(seq*1000+1), seq+2))
		if seq%2 == 0 {
			w.NoteStale()
		}
	}
	if next, ok := w.Next(odd); !ok || next != 1001 {
		t.Fatalf("next at %v %v, not at the first that is live", next, ok)
	}
	for e, ok := w.PopDue(1001); ok; e, ok = w.PopDue(1001) {
		if !odd(e) && e.Deadline < 1001 {
			t.Fatalf("%v was passed and is still there", e)
		}
	}
	if _, ok := w.Next(func(Entry) bool { return false }); ok || w.Len() != 0 {
		t.Fatalf("%d entries although all are withdrawn", w.Len())
	}
}

// A crowd is searched once in a while, not for every withdrawal, however unlucky the
// order: here every withdrawn deadline is the first of a bucket of ten thousand.
func TestNextCostsAWithdrawalAConstant(t *testing.T) {
	const crowd, rounds = 10_000, 2000
	var w Wheel
	for seq := range uint64(crowd) {
		w.Add(timer(1<<40+fiber.Time(seq)+rounds, 1))
	}
	looks, exact := 0, 0
	live := func(e Entry) bool { looks++; return e.Ticket.Seq == 1 }
	for n := range fiber.Time(rounds) {
		w.Add(timer(1<<40+rounds-n, 2))
		w.NoteStale()
		next, ok := w.Next(live)
		if !ok || next > 1<<40+rounds {
			t.Fatalf("next at %v %v, after the first that is live", next, ok)
		}
		if next == 1<<40+rounds {
			exact++
		}
	}
	if most := (smallest + 2) * rounds; looks > most || exact < rounds*smallest/crowd-1 {
		t.Fatalf("%d looks at entries for %d withdrawals, want at most %d; the live one found %d times", looks, rounds, most, exact)
	}
}
