package fiber_test

import (
	"errors"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// anyID draws an ID that a scheduler could have handed out.
func anyID() *rapid.Generator[fiber.ID] {
	return rapid.Custom(func(t *rapid.T) fiber.ID {
		index := rapid.Uint32Range(0, fiber.MaxIndex).Draw(t, "index")
		generation := rapid.Uint32Range(1, fiber.MaxGeneration).Draw(t, "generation")
		if rapid.Bool().Draw(t, "trampoline") {
			return fiber.NewTrampolineID(index, generation).ID()
		}
		return fiber.NewRegularID(index, generation).ID()
	})
}

func TestAnIDIsItsSlotItsPoolAndItsGeneration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index := rapid.Uint32Range(0, fiber.MaxIndex).Draw(t, "index")
		generation := rapid.Uint32Range(1, fiber.MaxGeneration).Draw(t, "generation")
		regular, trampoline := fiber.NewRegularID(index, generation), fiber.NewTrampolineID(index, generation)
		if regular.ID() == trampoline.ID() {
			t.Fatalf("%v and %v are the same", regular, trampoline)
		}
		for _, id := range []fiber.ID{regular.ID(), trampoline.ID()} {
			if id.Index() != index || id.Generation() != generation {
				t.Errorf("%v: slot %d generation %d, want %d and %d", id, id.Index(), id.Generation(), index, generation)
			}
		}
		if regular.Index() != index || trampoline.Index() != index {
			t.Errorf("typed indices are %d and %d, want %d", regular.Index(), trampoline.Index(), index)
		}
	})
}

func TestAnIDIsOfExactlyOnePool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := anyID().Draw(t, "id")
		r, isRegular := id.Regular()
		c, isTrampoline := id.Trampoline()
		if isRegular == isTrampoline || isTrampoline != id.IsTrampoline() {
			t.Fatalf("%v: regular %v, trampoline %v", id, isRegular, isTrampoline)
		}
		if isRegular && r.ID() != id || isTrampoline && c.ID() != id {
			t.Errorf("%v changed when its pool was named: %v, %v", id, r, c)
		}
	})
}

func TestTheZeroIDNamesNobodyOfEitherPool(t *testing.T) {
	var none fiber.ID
	_, regular := none.Regular()
	_, trampoline := none.Trampoline()
	if regular || trampoline || none.String() != "none" {
		t.Errorf("zero ID: regular %v, trampoline %v, %q", regular, trampoline, none)
	}
}

func TestIndexBitsBeyondThirtyOneNeverReachThePoolBit(t *testing.T) {
	id := fiber.NewRegularID(fiber.MaxIndex+1, 1).ID()
	if id.IsTrampoline() || id.Index() != 0 {
		t.Errorf("an index too large became %v", id)
	}
}

func TestAnIDReadsBackFromItsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := anyID().Draw(t, "id")
		back, err := fiber.ParseID(id.String())
		if err != nil || back != id {
			t.Errorf("%v read back as %v, %v", id, back, err)
		}
	})
}

// wellFormed is the grammar of an ID's text, said another way than ParseID says it.
func wellFormed(text string) bool {
	if !regexp.MustCompile(`\A[ft](0|[1-9][0-9]*)\.[1-9][0-9]*\z`).MatchString(text) {
		return false
	}
	slot, generation, _ := strings.Cut(text[1:], ".")
	within := func(number string, limit int64) bool {
		n, _ := new(big.Int).SetString(number, 10)
		return n.Cmp(big.NewInt(limit)) <= 0
	}
	return within(slot, fiber.MaxIndex) && within(generation, fiber.MaxGeneration)
}

func TestParseIDAcceptsItsGrammarAndNothingElse(t *testing.T) {
	near := rapid.StringMatching(`[ft]?(0|[0-9]{1,12})\.?[0-9+\-]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		checkParseID(t, rapid.OneOf(near, rapid.String()).Draw(t, "text"))
	})
}

func FuzzParseID(f *testing.F) {
	for _, seed := range []string{"f0.1", "t2147483647.4294967295", "none", "f01.1", "f1.0", "f2147483648.1", "f1.4294967296", "f+1.1", "f1.1 ", "f1.1.1", "", "f.", "x1.1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkParseID(t, text) })
}

func checkParseID(t rapid.TB, text string) {
	id, err := fiber.ParseID(text)
	switch {
	case wellFormed(text) != (err == nil):
		t.Errorf("%q: %v", text, err)
	case err == nil && id.String() != text:
		t.Errorf("%q read as %v", text, id)
	case err != nil && (!errors.Is(err, fiber.ErrEncoding) || id != 0):
		t.Errorf("%q refused with %v and ID %v, want none and ErrEncoding", text, err, id)
	}
}

func TestCheckIDRefusesWhatNoFiberCanHave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, fiber.MaxGeneration)).Draw(t, "n")
		id, err := fiber.CheckID(n)
		if n>>32 == 0 {
			if !errors.Is(err, fiber.ErrEncoding) || id != 0 {
				t.Errorf("generation 0 accepted as %v, %v", id, err)
			}
			return
		}
		if err != nil || uint64(id) != n {
			t.Errorf("%x accepted as %v, %v", n, id, err)
		}
	})
}
