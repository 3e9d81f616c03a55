package wait

import (
	"maps"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// roll drives holders beside a map.
type roll struct {
	h    holders
	want map[fiber.ID]int64
}

func (r *roll) id(t *rapid.T) fiber.ID {
	return fiber.NewRegularID(rapid.Uint32Range(0, 200).Draw(t, "slot"), rapid.Uint32Range(1, 2).Draw(t, "life")).ID()
}

func (r *roll) Add(t *rapid.T) {
	id, n := r.id(t), rapid.Int64Range(1, 3).Draw(t, "n")
	r.h.add(id, n)
	r.want[id] += n
}

func (r *roll) Take(t *rapid.T) {
	if len(r.want) == 0 {
		return
	}
	id := rapid.SampledFrom(slices.Sorted(maps.Keys(r.want))).Draw(t, "id")
	n := rapid.Int64Range(1, r.want[id]).Draw(t, "n")
	r.h.take(id, n)
	if r.want[id] -= n; r.want[id] == 0 {
		delete(r.want, id)
	}
}

// Check compares everything there is to see, and the invariants listed on holders.
func (r *roll) Check(t *rapid.T) {
	if got := r.h.all(nil); !slices.Equal(got, slices.Sorted(maps.Keys(r.want))) {
		t.Fatalf("all %v, want %v", got, r.want)
	}
	if id := r.id(t); r.h.amount(id) != r.want[id] || r.h.amount(0) != 0 {
		t.Fatalf("%v holds %d, want %d", id, r.h.amount(id), r.want[id])
	}
	if r.h.n != len(r.want) || 2*r.h.n > len(r.h.slots) {
		t.Fatalf("counted %d of %d in %d slots", r.h.n, len(r.want), len(r.h.slots))
	}
	for i, s := range r.h.slots {
		if (s.id == 0) != (s.amount == 0) || s.id != 0 && r.h.find(s.id) != &r.h.slots[i] {
			t.Fatalf("slot %d: %+v is not found again", i, s)
		}
	}
}

func TestHoldersAgreeWithAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &roll{want: map[fiber.ID]int64{}}
		for range rounds / 10 {
			t.Repeat(map[string]func(*rapid.T){"add": r.Add, "add too": r.Add, "take": r.Take, "": r.Check})
		}
	})
}

func TestHoldersGiveBackTheMemoryOfABurst(t *testing.T) {
	var h holders
	for i := range 10_000 {
		h.add(fib(i), 1)
	}
	for i := range 10_000 {
		h.take(fib(i), 1)
	}
	if len(h.slots) > keptRoll {
		t.Errorf("nobody holds anything, in %d slots", len(h.slots))
	}
}
