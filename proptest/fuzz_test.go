package proptest

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec"
	"github.com/selvage-dev/selvage/spec/replay"
)

// FuzzOperations does on a scheduler and on its model what the bytes say: first which
// machine and host, then one thing after another of
//
//   - a step that is possible, chosen by a number;
//   - an action that is not, which must be refused and change nothing;
//   - forged tickets, fibers and operations;
//   - a raw ID from a wire.
//
// Whatever was done must follow the specification as the trace tells it, too.
func FuzzOperations(f *testing.F) {
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 3))
		text := make([]byte, 600)
		for i := range text {
			text[i] = byte(rng.Uint32())
		}
		f.Add(text)
	}
	table, hosts := Refusals(), hosts()
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4096 {
			return // longer ones find the same, and later
		}
		b := &tape{text: text}
		c, host := wide[int(b.next())%len(wide)], hosts[int(b.next())%len(hosts)]
		var trace bytes.Buffer
		host.Trace = &trace
		w := NewWalk(NewLockstep(c, host))
		if err := playAll(w, b, table); err != nil {
			t.Fatalf("%v\n%v", w.Taken, err)
		}
		if err := w.trace.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := replay.Check(&trace); err != nil {
			t.Fatalf("%v\n%v", w.Taken, err)
		}
	})
}

// tape is bytes to be used up; behind them there is nothing but zeros. It is a source of
// choices for a StaleProbe.
type tape struct {
	text  []byte
	asked uint64
}

func (b *tape) next() byte {
	if len(b.text) == 0 {
		return 0
	}
	first := b.text[0]
	b.text = b.text[1:]
	return first
}

// Uint64 spends two bytes, which decide it together with how often it was asked: who
// rejects one number must get another.
func (b *tape) Uint64() uint64 {
	b.asked++
	n := b.asked<<16 | uint64(b.next())<<8 | uint64(b.next())
	return n * 0x9e3779b97f4a7c15
}

func playAll(w *Walk, b *tape, table []Refusal) error {
	probe := &StaleProbe{rng: rand.New(b)}
	all := w.Model.All()
	for len(b.text) > 0 {
		op := b.next()
		var err error
		switch {
		case op < 0xc0 || w.held != nil:
			err = w.Take(uint32(op)<<16 | uint32(b.next())<<8 | uint32(b.next()))
		case op < 0xe0:
			err = w.refused(table, all[int(binary.BigEndian.Uint16([]byte{b.next(), b.next()}))%len(all)])
		case op < 0xf0:
			err = probe.Try(w.Lockstep)
		default:
			err = w.named([]byte{b.next(), b.next(), b.next(), b.next()})
		}
		if err == nil && op >= 0xc0 && w.held == nil {
			err = w.Match(&w.State)
		}
		if err != nil {
			return err
		}
	}
	return w.finish()
}

// finish performs a step that is held back. The trace ends with what the scheduler did.
func (w *Walk) finish() error {
	for w.held != nil {
		if err := w.Take(0); err != nil {
			return err
		}
	}
	if w.State.Current == spec.NoSlot {
		w.Scheduler.Steps().IdleVerdictWithReport() // tells what the inlined transitions did
	}
	return nil
}

// refused tries an action, unless it is enabled or no call. The table is that of a plain
// host: objects refuse in words of their own, and a lazy host has more tokens.
func (w *Walk) refused(table []Refusal, a spec.Action) error {
	if w.Model.Can(&w.State, a) || w.host.Objects || w.host.Lazy {
		return nil
	}
	row, ok := RefusalOf(table, w.Model, &w.State, a)
	if !ok {
		return errorf("no row speaks for %v", a)
	}
	return w.Refuses(&table[row], &w.State, a)
}

// named looks up a raw ID: it is the fiber that lives in that slot now, if there is one.
func (w *Walk) named(wire []byte) error {
	raw := fiber.Raw(binary.BigEndian.Uint32(wire))
	got, err := w.Scheduler.Inspect().Lookup(raw)
	for x := range w.bounds.Slots() {
		id := w.names.id[x]
		if w.State.Contexts[x].Status != spec.Dead && id.Raw() == raw {
			if err != nil || got != id {
				return errorf("raw %v is %v (%v), not %v", raw, got, err, id)
			}
			return nil
		}
	}
	if err == nil {
		return errorf("raw %v is %v, nobody lives there", raw, got)
	}
	return nil
}
