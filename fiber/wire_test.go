package fiber_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// anyTicket draws a ticket that a scheduler could have armed.
func anyTicket() *rapid.Generator[fiber.Ticket] {
	return rapid.Custom(func(t *rapid.T) fiber.Ticket {
		scheduler := rapid.Uint16().Draw(t, "scheduler")
		n := rapid.Uint64Range(1, fiber.MaxSeq).Draw(t, "n")
		return fiber.Ticket{ID: anyID().Draw(t, "id"), Seq: fiber.NewSeq(scheduler, n)}
	})
}

func TestARawEncodingIsTheLowHalfOfTheID(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := anyID().Draw(t, "id")
		raw := id.Raw()
		if uint32(raw) != uint32(uint64(id)) || raw.Index() != id.Index() || raw.IsTrampoline() != id.IsTrampoline() {
			t.Errorf("%v has raw encoding %x", id, uint32(raw))
		}
	})
}

func TestEncodingAppendsAndReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SliceOf(rapid.Byte()).Draw(t, "before")
		ticket := anyTicket().Draw(t, "ticket")
		wire := ticket.AppendTo(bytes.Clone(before))
		rest, ok := bytes.CutPrefix(wire, before)
		if !ok || len(rest) != 16 {
			t.Fatalf("appended to %x: %x", before, wire)
		}
		if back, err := fiber.ParseTicket(rest); err != nil || back != ticket {
			t.Errorf("%v read back as %v, %v", ticket, back, err)
		}
	})
}

func TestTheWireBytesAreThoseOtherMachinesExpect(t *testing.T) {
	ticket := fiber.Ticket{ID: fiber.NewTrampolineID(0x123, 0x45).ID(), Seq: fiber.NewSeq(0x0102, 0x77)}.AppendTo(nil)
	if want := "\x00\x00\x00\x45\x80\x00\x01\x23\x01\x02\x00\x00\x00\x00\x00\x77"; string(ticket) != want {
		t.Errorf("ticket is %x on the wire, want %x", ticket, want)
	}
	if raw, want := fiber.NewTrampolineID(0x123, 0x45).ID().Raw(), fiber.Raw(0x80000123); raw != want {
		t.Errorf("raw encoding is %x on the wire, want %x", raw, want)
	}
}

func FuzzParseTicket(f *testing.F) {
	good := fiber.Ticket{ID: fiber.NewRegularID(1, 1).ID(), Seq: fiber.NewSeq(1, 1)}.AppendTo(nil)
	for _, seed := range [][]byte{nil, good, good[:15], append(bytes.Clone(good), 0), make([]byte, 16), bytes.Repeat([]byte{0xff}, 16),
		append(make([]byte, 8), good[8:]...), append(bytes.Clone(good[:8]), 0, 1, 0, 0, 0, 0, 0, 0)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		ticket, err := fiber.ParseTicket(b)
		switch {
		case namesSuspension(b) != (err == nil):
			t.Errorf("%x: %v", b, err)
		case err == nil && !bytes.Equal(ticket.AppendTo(nil), b):
			t.Errorf("%x read as %v", b, ticket)
		case err != nil && (!errors.Is(err, fiber.ErrEncoding) || !ticket.IsZero()):
			t.Errorf("%x refused with %v and %v, want none and ErrEncoding", b, err, ticket)
		}
	})
}

// namesSuspension says byte by byte what ParseTicket must accept: a generation and a
// wait number that are not zero.
func namesSuspension(b []byte) bool {
	zero := func(part []byte) bool { return len(bytes.Trim(part, "\x00")) == 0 }
	return len(b) == 16 && !zero(b[:4]) && !zero(b[10:])
}

func TestATicketTellsWhoArmedIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scheduler := rapid.Uint16().Draw(t, "scheduler")
		n := rapid.Uint64Range(1, fiber.MaxSeq).Draw(t, "n")
		ticket := fiber.Ticket{ID: anyID().Draw(t, "id"), Seq: fiber.NewSeq(scheduler, n)}
		if ticket.Scheduler() != scheduler || ticket.Seq&fiber.MaxSeq != n || ticket.IsZero() {
			t.Errorf("%v: armed by %d, want wait %d of scheduler %d", ticket, ticket.Scheduler(), n, scheduler)
		}
	})
}

func TestLaterWaitsOfASchedulerHaveLargerSeqs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scheduler := rapid.Uint16().Draw(t, "scheduler")
		n := rapid.Uint64Range(1, fiber.MaxSeq-1).Draw(t, "n")
		if fiber.NewSeq(scheduler, n) >= fiber.NewSeq(scheduler, n+1) {
			t.Errorf("wait %d of scheduler %d does not come before the next", n, scheduler)
		}
	})
}

func TestTicketsOfDifferentSchedulersAreToldApartInText(t *testing.T) {
	id := fiber.NewRegularID(12, 3).ID()
	for want, ticket := range map[string]fiber.Ticket{
		"no ticket":  {},
		"f12.3#40":   {ID: id, Seq: fiber.NewSeq(0, 40)},
		"f12.3#2/40": {ID: id, Seq: fiber.NewSeq(2, 40)},
	} {
		if ticket.String() != want {
			t.Errorf("%+v is %q, want %q", ticket, ticket, want)
		}
	}
}
