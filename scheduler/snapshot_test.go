package scheduler

import (
	"fmt"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// edges are what each blocked fiber of a Report waits for, as text.
func (r *Report) edges() (all []string) {
	for _, f := range r.Fibers {
		all = append(all, fmt.Sprintf("%v %v %v %v %v", f.ID, f.Reason, f.On, f.Holders, f.Callee))
	}
	return all
}

// edges are the same of a Snapshot.
func (s *Snapshot) edges() (all []string) {
	for i := range s.Fibers {
		f := &s.Fibers[i]
		if f.State != fiber.Blocked {
			continue
		}
		var on []string
		var holders []fiber.ID
		for _, at := range s.On(*f) {
			on, holders = append(on, s.Sources[at].Name()), append(holders, s.Holders(s.Sources[at])...)
		}
		callee := fiber.ID(0)
		if f.Calls {
			callee = s.Fibers[i+1].ID
		}
		all = append(all, fmt.Sprintf("%v %v %v %v %v", f.ID, fiber.Reason{Kind: f.Kind, Deadline: f.Deadline, External: f.External}, on, holders, callee))
	}
	return all
}

// A Snapshot has the edges of the Report of the same moment, and every living fiber in its state. Taking one
// changes nothing.
func TestASnapshotHasTheEdgesOfTheReport(t *testing.T) {
	var s Snapshot
	for seed := range uint64(200) {
		w := newRandomWaits(t, seed)
		for range 12 {
			if n := w.rng.IntN(len(w.ids)); w.model.fibers[n].runs() {
				w.act(n)
			}
			before := w.Inspect().Dump()
			s = w.Inspect().Snapshot(s)
			if got, want := s.edges(), w.Inspect().Report().edges(); !slices.Equal(got, want) {
				t.Fatalf("seed %d:\n%v\nwant\n%v", seed, got, want)
			}
			if len(s.Fibers) != w.Inspect().Live() {
				t.Fatalf("seed %d: %d fibers, %d live", seed, len(s.Fibers), w.Inspect().Live())
			}
			for _, f := range s.Fibers {
				if want := w.Inspect().State(f.ID); f.State != want {
					t.Fatalf("seed %d: %v is %v, not %v", seed, f.ID, f.State, want)
				}
			}
			if after := w.Inspect().Dump(); after != before {
				t.Fatalf("seed %d: a snapshot changed\n%s\nto\n%s", seed, before, after)
			}
		}
	}
}

// awaits are the fibers that could end the wait of fiber n by what they hold or are, according to the model; and
// whether any other could.
func (m *future) awaits(n int) (holders []int, anyone bool) {
	f := m.fibers[n]
	if f.thing > 0 {
		for other, held := range m.things[f.thing-1].held {
			if held > 0 {
				holders = append(holders, other)
			}
		}
	}
	return append(holders, f.joins...), f.anyone
}

func TestTheHoldersOfASnapshotAreThoseOfTheModel(t *testing.T) {
	var s Snapshot
	compared := 0
	for seed := range uint64(200) {
		w := newRandomWaits(t, seed)
		w.runRandomly(seed)
		s = w.Inspect().Snapshot(s)
		for i := range s.Fibers {
			f := &s.Fibers[i]
			n := slices.IndexFunc(w.ids, func(id fiber.RegularID) bool { return id.ID() == f.ID })
			if f.State != fiber.Blocked {
				continue
			}
			var got, want []fiber.ID
			for _, at := range s.On(*f) {
				got = append(got, s.Holders(s.Sources[at])...)
			}
			holders, anyone := w.model.awaits(n)
			for _, other := range holders {
				want = append(want, w.ids[other].ID())
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(slices.Compact(got), slices.Compact(want)) || anyone && len(got) > 0 || len(s.On(*f)) == 0 {
				t.Fatalf("seed %d: %v waits for %v, not for %v", seed, f.ID, got, want)
			}
			compared += len(want)
		}
	}
	if compared < 100 {
		t.Fatalf("%d holders: that proves little", compared)
	}
}

func TestASnapshotShowsNativeCallsBehindTheirCallers(t *testing.T) {
	g := newTestScheduler(t, Config{})
	root := g.spawnRunning(Options{})
	var s Snapshot
	want := []fiber.ID{root.ID()}
	for range 3 {
		want = append(want, g.call().ID())
	}
	s = g.Inspect().Snapshot(s)
	var got []fiber.ID
	for i, f := range s.Fibers {
		got = append(got, f.ID)
		if f.Calls != (i < 3) {
			t.Errorf("%v: waits for a call: %v", f.ID, f.Calls)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%v, not %v", got, want)
	}
}

// A fiber that blocks again in a wait of the same kind has moved; one that sleeps on has not, however many
// others run.
func TestASnapshotKnowsWhichBlockedFibersHaveRunSince(t *testing.T) {
	g := newTestScheduler(t, Config{})
	first, second := new(wait.Mutex), new(wait.Mutex)
	park := func(m *wait.Mutex) {
		t := g.Arm(fiber.OnQueue(), m.Source())
		_ = m.ParkLock(t, g.Current())
		g.Block()
	}
	owner := g.spawnRunning(Options{})
	_, _ = first.TryLock(owner.ID())
	_, _ = second.TryLock(owner.ID())
	g.YieldCurrent()
	moving := g.spawnRunning(Options{})
	park(first)
	staying := g.spawnRunning(Options{})
	park(second)

	s := g.Inspect().Snapshot(Snapshot{})
	moved := func(id fiber.RegularID) bool {
		for _, f := range s.Fibers {
			if f.ID == id.ID() {
				return s.Moved(f, g.Inspect())
			}
		}
		t.Fatalf("%v is not in the snapshot", id)
		return false
	}
	for _, id := range []fiber.RegularID{owner, moving, staying} {
		if moved(id) {
			t.Errorf("%v has moved, although nothing has happened", id)
		}
	}
	wakeup, err := first.Unlock(owner.ID())
	if err != nil {
		t.Fatal(err)
	}
	g.Apply(wakeup)
	g.mount(moving)
	g.Claim()
	park(second)
	for id, want := range map[fiber.RegularID]bool{owner: true, moving: true, staying: false} {
		if got := moved(id); got != want {
			t.Errorf("%v has moved: %v, want %v", id, got, want)
		}
	}
}

func BenchmarkSnapshot(b *testing.B) {
	for _, named := range []bool{false, true} {
		b.Run(fmt.Sprintf("named=%v", named), func(b *testing.B) {
			g := newTestScheduler(b, Config{})
			m := newRandomWaits(b, 1).ch.Source()
			for i := range 100_000 {
				id := g.spawnRunning(Options{})
				if named {
					if err := g.Attachments().SetName(id.ID(), fmt.Sprint("worker ", i)); err != nil {
						b.Fatal(err)
					}
				}
				g.Arm(fiber.OnQueue(), m)
				g.Block()
			}
			var s Snapshot
			for b.Loop() {
				s = g.Inspect().Snapshot(s)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
