package trampoline_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// Random programs of callbacks up to eight deep, with waits, operations, panics, recovery,
// cancellations and kills: each fiber does what plain recursion does, in each way of calls.
func TestRandomProgramsOfCallbacksDoWhatPlainRecursionDoes(t *testing.T) {
	programs := long.Cases(100_000, 1_000_000)
	if invariants.On {
		programs /= 50
	}
	for _, way := range []trampoline.Way{trampoline.ExitAndReenter, trampoline.Parking, trampoline.Nesting} {
		t.Run(way.String(), func(t *testing.T) {
			seen := map[string]int{}
			for played := 0; played < programs/3; played += batch {
				if err := playGuests(way, uint64(played), seen); err != nil {
					t.Fatalf("batch of seed %d: %v", played, err)
				}
			}
			for _, kind := range []string{"done", "panic", "cancelled", "killed", "recovers: true"} {
				if seen[kind] < programs/1000 {
					t.Errorf("%q in %d of %d programs: they are of no use: %v", kind, seen[kind], programs/3, seen)
				}
			}
		})
	}
}

// playGuests plays a batch of programs on one scheduler.
func playGuests(way trampoline.Way, seed uint64, seen map[string]int) error {
	g := newGuests(way)
	if g.native != nil {
		defer g.native.Close()
	}
	for n := range uint64(batch) {
		if err := g.play(rand.New(rand.NewPCG(seed, n)), seen); err != nil {
			return fmt.Errorf("program %d: %w", n, err)
		}
	}
	return nil
}

// play runs one program. Where calls nest only one fiber makes calls: those of others would lie on
// top of it, and end before it.
func (g *guests) play(rng *rand.Rand, seen map[string]int) error {
	start := g.Now()
	fibers := 1 + rng.IntN(3)
	if g.way == trampoline.Nesting {
		fibers = 1
	}
	var all []*guest
	var want []*model
	for range fibers {
		p, m := draw(rng, 0, false), &model{now: start, cancelAt: fiber.Never, killAt: fiber.Never}
		who := new(guest)
		who.root = g.function(who, p)
		id, err := g.SpawnWith(who, scheduler.Options{
			Nests: g.way == trampoline.Nesting, Ended: func(_ any, err error) { who.end = g.describe(err) },
		})
		if err != nil {
			return err
		}
		if rng.IntN(3) == 0 {
			m.cancelAt = start + fiber.Time(4*rng.IntN(10)+1)
			_ = g.at(m.cancelAt, func() { _ = g.Cancel(id.ID(), errEnough) })
		}
		if rng.IntN(4) == 0 {
			m.killAt = start + fiber.Time(4*rng.IntN(10)+2)
			_ = g.at(m.killAt, func() { _ = g.Kill(id.ID(), nil) })
		}
		end := m.proc(p)
		m.say("ends: %s %d", end.kind, end.value)
		all, want = append(all, who), append(want, m)
		seen[end.kind]++
		if slices.ContainsFunc(m.log, func(l string) bool { return strings.HasSuffix(l, "recovers: true") }) {
			seen["recovers: true"]++
		}
	}
	if err := g.Run(context.Background(), g.machine()); err != nil {
		return err
	}
	for i, who := range all {
		m := want[i]
		last := m.log[len(m.log)-1]
		got := append(who.log, last[:strings.Index(last, ":")]+": ends: "+who.end)
		if !slices.Equal(got, m.log) {
			return fmt.Errorf("fiber %d did\n%s\nand not\n%s", i, strings.Join(got, "\n"), strings.Join(m.log, "\n"))
		}
	}
	return g.calls.Check()
}
