package slab

import (
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The twin is a Go map; addresses are remembered per index, forever.
func TestSlabAgreesWithAMapAndNeverMovesAnElement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Slab[uint64]
		live, where := map[uint32]uint64{}, map[uint32]*uint64{}
		alloc := func(t *rapid.T) {
			i, e := s.Alloc()
			if _, taken := live[i]; taken || i == 0 || *e != 0 {
				t.Fatalf("Alloc gave slot %d holding %d, taken %v", i, *e, taken)
			}
			if old := where[i]; old != nil && old != e {
				t.Fatalf("slot %d moved", i)
			}
			*e = rapid.Uint64().Draw(t, "value")
			live[i], where[i] = *e, e
		}
		pick := func(t *rapid.T) uint32 {
			return rapid.Uint32Range(0, uint32(len(where))+2).Draw(t, "slot")
		}
		t.Repeat(map[string]func(*rapid.T){
			"alloc": alloc,
			"alloc many": func(t *rapid.T) {
				for range 200 {
					alloc(t)
				}
			},
			"free": func(t *rapid.T) {
				if i := pick(t); live[i] != 0 {
					s.Free(i)
					delete(live, i)
				}
			},
			"get": func(t *rapid.T) {
				i := pick(t)
				want, ok := live[i]
				if e, got := s.Get(i); got != ok || got && *e != want {
					t.Fatalf("Get(%d) = %v, want %v", i, got, ok)
				}
			},
			"": func(t *rapid.T) {
				var order []uint32
				for i, e := range s.All() {
					if *e != live[i] {
						t.Fatalf("slot %d holds %d, want %d", i, *e, live[i])
					}
					order = append(order, i)
				}
				if want := slices.Sorted(maps.Keys(live)); !slices.Equal(order, want) {
					t.Fatalf("All yields %v, want %v", order, want)
				}
				if s.Len() != len(live) || s.Cap() < s.Len() {
					t.Fatalf("Len %d, Cap %d with %d live", s.Len(), s.Cap(), len(live))
				}
			},
		})
	})
}

func TestTheSlotFreedLastIsUsedNext(t *testing.T) {
	var s Slab[int]
	for range 3 {
		s.Alloc()
	}
	s.Free(1)
	s.Free(3)
	for _, want := range []uint32{3, 1, 4} {
		if got, _ := s.Alloc(); got != want {
			t.Fatalf("got slot %d, want %d", got, want)
		}
	}
}

func TestTheOwnerMayKeepAGenerationInAFreeSlot(t *testing.T) {
	var s Slab[struct{ gen, data int }]
	i, e := s.Alloc()
	e.data = 1
	s.Free(i)
	s.At(i).gen = 7
	if _, e := s.Alloc(); e.gen != 7 || e.data != 0 {
		t.Fatalf("slot came back as %+v", *e)
	}
}

func TestFreeingASlotTwiceOrNoneIsFoundAtOnce(t *testing.T) {
	var s Slab[int]
	i, _ := s.Alloc()
	s.Free(i)
	for _, bad := range []uint32{i, 0, 2, math.MaxUint32} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Free(%d) was accepted", bad)
				}
			}()
			s.Free(bad)
		}()
	}
}

func TestTheLastIndexIsNotWrapped(t *testing.T) {
	s := Slab[int]{touched: math.MaxUint32}
	if i, e := s.Alloc(); i != 0 || e != nil {
		t.Fatalf("Alloc gave slot %d after the last one", i)
	}
}

func TestAllMayFreeWhatItIsGivenAndStopEarly(t *testing.T) {
	var s Slab[int]
	for range 100 {
		s.Alloc()
	}
	for i := range s.All() {
		if i > 50 {
			break
		}
		s.Free(i)
	}
	if s.Len() != 50 {
		t.Fatalf("%d slots left, want 50", s.Len())
	}
}

func TestReuseAllocatesNothing(t *testing.T) {
	var s Slab[[8]uint64]
	held := make([]uint32, 2*chunkSize)
	round := func() {
		for n := range held {
			held[n], _ = s.Alloc()
		}
		for _, i := range held {
			s.Free(i)
		}
	}
	round()
	if n := testing.AllocsPerRun(50, round); n != 0 {
		t.Fatalf("%v allocations per round", n)
	}
}

func BenchmarkAllocFree(b *testing.B) {
	var s Slab[[8]uint64]
	b.ReportAllocs()
	for b.Loop() {
		i, _ := s.Alloc()
		s.Free(i)
	}
}

// BenchmarkAt walks a million slots in a scattered order.
func BenchmarkAt(b *testing.B) {
	var s Slab[[8]uint64]
	const n = 1 << 20
	for range n {
		s.Alloc()
	}
	i, sum := uint32(0), uint64(0)
	for b.Loop() {
		i = (i + 514229) % n
		sum += s.At(i + 1)[0]
	}
	_ = sum
}
