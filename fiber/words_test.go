package fiber_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// TestEveryEnumeratorHasItsOwnName walks each enumeration from its first value: the
// names must differ, be lower case, and end with the first value that is none.
func TestEveryEnumeratorHasItsOwnName(t *testing.T) {
	for _, e := range []struct {
		name  string
		count int
		value func(i int) fmt.Stringer
	}{
		{"state", 4, func(i int) fmt.Stringer { return fiber.State(i) }},
		{"kind", 4, func(i int) fmt.Stringer { return fiber.Kind(i) }},
		{"code", 7, func(i int) fmt.Stringer { return fiber.Code(i) }},
		{"delivery", 6, func(i int) fmt.Stringer { return fiber.Delivery(i) }},
		{"outcome", 7, func(i int) fmt.Stringer { return fiber.OutcomeKind(i) }},
	} {
		seen := map[string]int{}
		for i := range e.count {
			name := e.value(i).String()
			if other, twice := seen[name]; twice || name == "" || name != strings.ToLower(name) || strings.HasPrefix(name, "invalid") {
				t.Errorf("%s %d is called %q (as is %d)", e.name, i, name, other)
			}
			seen[name] = i
		}
		for _, i := range []int{e.count, 255} {
			if name := e.value(i).String(); name != "invalid "+e.name {
				t.Errorf("%s %d is called %q, but is none", e.name, i, name)
			}
		}
	}
}

func TestOnlyAWonDeliveryIsAccepted(t *testing.T) {
	for d := range fiber.Delivery(255) {
		if won := d == fiber.Woken || d == fiber.Latched; d.Accepted() != won {
			t.Errorf("%v accepted: %v", d, d.Accepted())
		}
	}
}

func TestOnlyDoneAndPanicEndAFiber(t *testing.T) {
	for k := range fiber.OutcomeKind(255) {
		if last := k == fiber.Done || k == fiber.Panic; (fiber.Outcome{Kind: k}).Ends() != last {
			t.Errorf("%v ends its fiber: %v", k, !last)
		}
	}
}

func TestADeadlineNeverOverflowsIntoNeverOrThePast(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, from, d int64) {
		want := big.NewInt(from)
		if d > 0 {
			want.Add(want, big.NewInt(d))
			if last := big.NewInt(int64(fiber.Never - 1)); want.Cmp(last) > 0 {
				want = last
			}
		}
		if got := fiber.Time(from).After(time.Duration(d)); big.NewInt(int64(got)).Cmp(want) != 0 {
			t.Errorf("%d after %d is %d, want %v", d, from, got, want)
		}
	}
	for _, from := range []int64{-1, 0, math.MaxInt64 - 1, math.MaxInt64} {
		for d := int64(-1); d <= 1; d++ {
			check(t, from, d)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.Int64().Draw(t, "from"), rapid.Int64().Draw(t, "d"))
	})
}

func TestAReasonSaysWhatItWasBuiltFrom(t *testing.T) {
	const second = fiber.Time(time.Second)
	for _, c := range []struct {
		reason fiber.Reason
		want   fiber.Reason
		text   string
	}{
		{fiber.Reason{}, fiber.Reason{}, "nothing"},
		{fiber.OnQueue(), fiber.Reason{Kind: fiber.Queue, Deadline: fiber.Never}, "queue"},
		{fiber.OnIO(7), fiber.Reason{Kind: fiber.IO, Token: 7, Deadline: fiber.Never}, "io(7)"},
		{fiber.Until(second), fiber.Reason{Kind: fiber.Timer, Deadline: second}, "timer(1s)"},
		{fiber.Until(fiber.Never), fiber.Reason{Kind: fiber.Timer, Deadline: fiber.Never}, "timer(never)"},
		{fiber.OnQueue().WithDeadline(second), fiber.Reason{Kind: fiber.Queue, Deadline: second}, "queue by 1s"},
		{fiber.OnIO(7).WithDeadline(second), fiber.Reason{Kind: fiber.IO, Token: 7, Deadline: second}, "io(7) by 1s"},
		{fiber.OnQueue().FromOutside(), fiber.Reason{Kind: fiber.Queue, External: true, Deadline: fiber.Never}, "queue"},
	} {
		if c.reason != c.want || c.reason.String() != c.text {
			t.Errorf("%+v reads %q, want %+v and %q", c.reason, c.reason, c.want, c.text)
		}
	}
}

func TestOutcomesReadAsTracesShowThem(t *testing.T) {
	for want, o := range map[string]fiber.Outcome{
		"none":                         {},
		"frame-changed":                {Kind: fiber.FrameChanged},
		"block(timer(1s))":             fiber.BlockOn(fiber.Until(fiber.Time(time.Second))),
		"osr(func 1, pc 2, tier 3)":    fiber.Replace(fiber.Point{Func: 1, PC: 2, Tier: 3}),
		"panic":                        {Kind: fiber.Panic},
		fiber.OutcomeKind(99).String(): {Kind: 99},
	} {
		if o.String() != want {
			t.Errorf("%+v reads %q, want %q", o, o, want)
		}
	}
}

func TestAnOutcomeSaysWhereAnOSRContinuesAndNothingOtherwise(t *testing.T) {
	at := fiber.Point{Func: 1<<32 - 1, PC: 1<<32 - 2, Tier: 255}
	if got := fiber.Replace(at).At(); got != at {
		t.Errorf("%+v became %+v", at, got)
	}
	if got := fiber.BlockOn(fiber.OnIO(7)).At(); got != (fiber.Point{}) {
		t.Errorf("a block continues at %+v", got)
	}
}
