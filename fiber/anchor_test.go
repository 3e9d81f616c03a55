package fiber_test

import (
	"testing"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

func TestASourceStaysWithTheFirstSchedulerThatArmsItForEver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a fiber.Anchor
		first := rapid.Uint16().Draw(t, "first")
		if !a.Bind(first) {
			t.Fatalf("scheduler %d cannot bind a source that is nobody's", first)
		}
		for _, n := range rapid.SliceOf(rapid.Uint16()).Draw(t, "others") {
			if a.Bind(n) != (n == first) {
				t.Errorf("bound to %d, and %d was told %v", first, n, n != first)
			}
		}
	})
}

func TestAStampTellsSchedulersOfOneNumberApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number, salt := rapid.Uint16().Draw(t, "number"), rapid.UintMax(1<<30).Draw(t, "salt")
		mine := fiber.NewMark(number, salt)
		other := fiber.NewMark(number, salt+rapid.UintRange(1, 1<<15-2).Draw(t, "distance"))
		var a fiber.Anchor
		if rapid.Bool().Draw(t, "bound by number first") {
			a.Bind(number)
		}
		if bound := a.BindAs(mine); !bound || !a.BindAs(mine) || a.BindAs(other) || !a.Bind(number) || a.Bind(number+1) {
			t.Errorf("%v is not %d's, with %x and not with %x", a, number, mine, other)
		}
		if b := new(fiber.Anchor); b.Bind(number+1) && b.BindAs(mine) {
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
