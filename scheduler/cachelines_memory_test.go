//go:build (amd64 || arm64) && !invariants && !race

package scheduler

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"unsafe"
)

// What a transition touches is found without a clock and without noise. Parts of the
// scheduler's memory are spoilt, and the transition is carried out: if all comes out as it does
// without that, and the spoilt bytes are as they were, it neither wrote these parts nor read
// anything in them that mattered to it. Otherwise the halves are tried. What is asked for in
// advance and not read is not counted, nor are maps and code.

// lineSize is that of a line of the cache.
const lineSize = 64

// area is a piece of memory that was allocated as one, or a part of it.
type area struct {
	name  string
	bytes []byte
}

func (a area) start() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(a.bytes))) }
func (a area) end() uintptr   { return a.start() + uintptr(len(a.bytes)) }

// memory is everything reachable from a scheduler.
type memory struct {
	areas []area
	parts []area // of the areas: lines, or "rest" as a whole, for that lies where there was room
	size  int
	seen  map[uintptr]bool
}

func memoryOf(s *Scheduler[[40]byte]) *memory {
	m := &memory{seen: map[uintptr]bool{}}
	for _, chunk := range s.slots.chunks {
		m.add(chunk, chunkSize*uintptr(s.slots.stride), "slots")
	}
	m.add(unsafe.Pointer(unsafe.SliceData(s.ring.slots)), 4*uintptr(len(s.ring.slots)), "ring")
	m.add(unsafe.Pointer(s), unsafe.Sizeof(*s), "core")
	m.follow(reflect.ValueOf(s).Elem())
	m.divide()
	return m
}

// add notes an area and tells whether it is a new one.
func (m *memory) add(at unsafe.Pointer, size uintptr, name string) bool {
	if size == 0 || m.seen[uintptr(at)] {
		return false
	}
	m.seen[uintptr(at)] = true
	m.areas = append(m.areas, area{name, unsafe.Slice((*byte)(at), size)})
	return true
}

// follow notes what a value points to.
func (m *memory) follow(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			m.follow(v.Field(i))
		}
	case reflect.Array:
		m.followAll(v)
	case reflect.Interface:
		if e := v.Elem(); e.Kind() == reflect.Pointer {
			m.follow(e)
		}
	case reflect.Pointer:
		if !v.IsNil() && m.add(v.UnsafePointer(), v.Type().Elem().Size(), "rest") {
			m.follow(v.Elem())
		}
	case reflect.Slice:
		if v.Cap() > 0 && m.add(v.UnsafePointer(), uintptr(v.Cap())*v.Type().Elem().Size(), "rest") {
			m.followAll(v)
		}
	}
}

func (m *memory) followAll(v reflect.Value) {
	for i := range v.Len() {
		m.follow(v.Index(i))
	}
}

// divide leaves out the areas inside others, and cuts the rest into lines.
func (m *memory) divide() {
	slices.SortFunc(m.areas, func(a, b area) int {
		if a.start() == b.start() {
			return len(b.bytes) - len(a.bytes)
		}
		return int(a.start()) - int(b.start())
	})
	end := uintptr(0)
	m.areas = slices.DeleteFunc(m.areas, func(a area) bool {
		inside := a.end() <= end
		end = max(end, a.end())
		return inside
	})
	for _, a := range m.areas {
		m.size += len(a.bytes)
		for left := a; len(left.bytes) > 0; {
			n := len(left.bytes)
			if a.name != "rest" {
				n = min(n, lineSize-int(left.start()%lineSize))
			}
			m.parts = append(m.parts, area{a.name, left.bytes[:n]})
			left.bytes = left.bytes[n:]
		}
	}
}

func (m *memory) state() []byte {
	held := make([]byte, 0, m.size)
	for _, a := range m.areas {
		held = append(held, a.bytes...)
	}
	return held
}

func (m *memory) restore(held []byte) {
	for _, a := range m.areas {
		held = held[copy(a.bytes, held):]
	}
}

// corrupt changes every byte: a flag that was set is not, no pointer stays one,
// no length stays small.
func corrupt(parts []area, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 7))
	for _, part := range parts {
		for i := range part.bytes {
			if seed == 0 {
				part.bytes[i] ^= 1
			} else {
				part.bytes[i] ^= byte(1 + rnd.IntN(255))
			}
		}
	}
}

// trial is a transition on a scheduler that is made ready for it.
type trial struct {
	*memory
	act    func() any
	before []byte
	answer string
	after  []byte
}

// outcome is what the transition returns, or panics with, its memory being spoilt.
func (t *trial) outcome() (answer string) {
	defer func() {
		if p := recover(); p != nil {
			answer = "panic"
		}
	}()
	return fmt.Sprint(t.act())
}

// ignores tells whether the transition is the same with these parts spoilt.
func (t *trial) ignores(parts []area) bool {
	for seed := range uint64(4) {
		t.restore(t.after) // where what is not touched stays as it was before
		corrupt(parts, seed)
		want := t.state()
		t.restore(t.before)
		corrupt(parts, seed)
		answer := t.outcome()
		same := answer == t.answer && bytes.Equal(t.state(), want)
		t.restore(t.before)
		if !same {
			return false
		}
	}
	return true
}

// find counts those of the parts that are touched, by the area they are of.
func (t *trial) find(parts []area, found map[string]int) {
	switch {
	case len(parts) == 0 || t.ignores(parts):
	case len(parts) == 1:
		found[parts[0].name]++
	default:
		half := len(parts) / 2
		t.find(parts[:half], found)
		t.find(parts[half:], found)
	}
}

// touched are how many parts of each area a transition reads or writes. It must leave the
// memory the same whenever it is carried out from the same beginning.
func touched(t *testing.T, s *Scheduler[[40]byte], act func() any) map[string]int {
	t.Helper()
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it must not see a pointer that is spoilt
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	m := memoryOf(s)
	x := &trial{memory: m, act: act, before: m.state()}
	x.answer = x.outcome()
	x.after = m.state()
	m.restore(x.before)
	if x.answer == "panic" || !x.ignores(nil) {
		t.Fatalf("the transition is not the same every time: %s", x.answer)
	}
	found := map[string]int{}
	x.find(m.parts, found)
	return found
}
