package vm

import (
	"cmp"
	"slices"
	"strings"
	"unsafe"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// extent is the memory of a string. Substrings share it, so that its size cannot be known from them.
type extent struct {
	at, size uintptr
	number   uint64 // of two extents that overlap, the one with the higher number exists
	reached  bool   // by the measurement
}

// sharedBytes is the length from which a substring shares the memory of its string, if memory is
// limited. A shorter one is a copy.
const sharedBytes = 512

// dataWord is the second word of a reference: an address that identifies what it refers to.
func dataWord(v any) uintptr { return (*[2]uintptr)(unsafe.Pointer(&v))[1] }

// newText counts a new string.
func (m *Machine) newText(s string) any {
	m.alloc(stringBytes + len(s))
	m.noteText(s)
	return s
}

// sharedText counts a string that shares the memory of a strings.Builder.
func (m *Machine) sharedText(s string) any {
	m.alloc(stringBytes)
	m.noteText(s)
	return s
}

// noteText notes the extent of a new string.
func (m *Machine) noteText(s string) {
	if m.mem.limited && len(s) >= sharedBytes {
		m.mem.noted++
		m.mem.texts = append(m.mem.texts, extent{at: textAt(s), size: uintptr(len(s)), number: m.mem.noted})
	}
}

// substring counts a string that is a part of another one.
func (m *Machine) substring(s string) any {
	if m.mem.limited && len(s) < sharedBytes {
		m.alloc(stringBytes + len(s))
		return strings.Clone(s)
	}
	m.alloc(stringBytes)
	return s
}

func textAt(s string) uintptr { return uintptr(unsafe.Pointer(unsafe.StringData(s))) }

// extentOf is that of the string that s is a part of, nil if it is one of the program's text. The extents
// are sorted.
func (m *Machine) extentOf(s string) *extent {
	at := textAt(s)
	i, found := slices.BinarySearchFunc(m.mem.texts, at, func(e extent, at uintptr) int { return cmp.Compare(e.at, at) })
	if !found {
		i--
	}
	if i < 0 || at >= m.mem.texts[i].at+m.mem.texts[i].size {
		return nil
	}
	return &m.mem.texts[i]
}

// sortTexts sorts the extents, and drops those whose memory has become that of others.
func (m *Machine) sortTexts(p *value.Pace) {
	slices.SortFunc(m.mem.texts, func(a, b extent) int {
		p.Spend(wordBytes)
		return cmp.Compare(a.at, b.at)
	})
	kept := m.mem.texts[:0]
	for _, e := range m.mem.texts {
		p.Spend(wordBytes)
		for len(kept) > 0 && kept[len(kept)-1].overlaps(e) && kept[len(kept)-1].number < e.number {
			kept = kept[:len(kept)-1]
		}
		if e.reached = false; len(kept) == 0 || !kept[len(kept)-1].overlaps(e) {
			kept = append(kept, e)
		}
	}
	m.mem.texts = kept
}

func (e extent) overlaps(later extent) bool { return later.at < e.at+e.size }
