package fiber_test

import (
	"testing"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

func TestASourceStaysWithTheFirstSchedulerThatArmsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a fiber.Anchor
		first := rapid.Uint16().Draw(t, "first")
		if !a.Bind(first, 0) {
			t.Fatalf("scheduler %d cannot bind a source that is nobody's", first)
		}
		for _, n := range rapid.SliceOf(rapid.Uint16()).Draw(t, "others") {
			if a.Bind(n, 0) != (n == first) {
				t.Errorf("bound to %d, and %d was told %v", first, n, n != first)
			}
		}
	})
}

func TestAStampTellsSchedulersOfOneNumberApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stamps := rapid.Uint16Range(1, 1<<15-1)
		number, mine := rapid.Uint16().Draw(t, "number"), stamps.Draw(t, "mine")
		other := stamps.Filter(func(n uint16) bool { return n != mine }).Draw(t, "other")
		var a fiber.Anchor
		if rapid.Bool().Draw(t, "bound by number first") {
			a.Bind(number, 0)
		}
		if bound := a.Bind(number, mine); !bound || !a.Bind(number, mine) || a.Bind(number, other) || !a.Bind(number, 0) || a.Bind(number+1, 0) {
			t.Errorf("%v is not %d's, with %x and not with %x", a, number, mine, other)
		}
		if b := new(fiber.Anchor); b.Bind(number+1, 0) && b.Bind(number, mine) {
			t.Errorf("what is %d's was taken for %d", number+1, number)
		}
	})
}

func TestAnUnboundAnchorNotesNobody(t *testing.T) {
	var a fiber.Anchor
	if a.Slot() != 0 || a.Anchored() != &a {
		t.Errorf("a new anchor notes %d", a.Slot())
	}
	a.SetSlot(1<<32 - 1)
	if a.Slot() != 1<<32-1 {
		t.Errorf("the note was changed to %d", a.Slot())
	}
}

// The header of a parked fiber holds a ticket's number and an anchor's note; objects
// hold the anchor. Growing any of them is a change of the memory promise.
func TestTheVocabularyIsAsSmallAsParkedFibersNeed(t *testing.T) {
	for name, size := range map[string][2]uintptr{
		"ID":      {unsafe.Sizeof(fiber.ID(0)), 8},
		"Ticket":  {unsafe.Sizeof(fiber.Ticket{}), 16},
		"Anchor":  {unsafe.Sizeof(fiber.Anchor{}), 8},
		"Reason":  {unsafe.Sizeof(fiber.Reason{}), 24},
		"Result":  {unsafe.Sizeof(fiber.Result{}), 8},
		"Wakeup":  {unsafe.Sizeof(fiber.Wakeup{}), 32},
		"Outcome": {unsafe.Sizeof(fiber.Outcome{}), 32},
	} {
		if size[0] > size[1] { // on 32 bits some are smaller
			t.Errorf("%s takes %d bytes, want %d at most", name, size[0], size[1])
		}
	}
}
