package actor

import (
	"fmt"
	"strconv"
	"strings"
)

// Handle names an actor: the index of its slot in the low 32 bits, the slot's generation
// in the high ones. It names the same actor through all its restarts and no other one
// ever; a message to a handle that names no actor, forged or outlived, is a dead letter.
type Handle uint64

const (
	// Outside stands for dispatchers outside the system: a sender, never a receiver.
	Outside Handle = 0
	// Output is the output handle: what is sent to it is read with Next and All.
	Output Handle = 1
)

func newHandle(slot, generation uint32) Handle {
	return Handle(generation)<<32 | Handle(slot)
}

func (h Handle) slot() uint32       { return uint32(h) }
func (h Handle) generation() uint32 { return uint32(h >> 32) }

// String is "a3.1", slot and generation, or "outside", or "output".
func (h Handle) String() string {
	switch h {
	case Outside:
		return "outside"
	case Output:
		return "output"
	}
	return "a" + strconv.FormatUint(uint64(h.slot()), 10) + "." + strconv.FormatUint(uint64(h.generation()), 10)
}

// MarshalText is String: so a handle stands in a message of a journal.
func (h Handle) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText is ParseHandle.
func (h *Handle) UnmarshalText(text []byte) (err error) {
	*h, err = ParseHandle(string(text))
	return err
}

// ParseHandle reads what String writes. That the text is well-formed does not mean that
// it names an actor.
func ParseHandle(s string) (Handle, error) {
	switch s {
	case "outside":
		return Outside, nil
	case "output":
		return Output, nil
	}
	slot, generation, _ := strings.Cut(strings.TrimPrefix(s, "a"), ".")
	n, err := strconv.ParseUint(slot, 10, 32)
	g, err2 := strconv.ParseUint(generation, 10, 32)
	h := newHandle(uint32(n), uint32(g))
	if err != nil || err2 != nil || h.String() != s {
		return 0, fmt.Errorf("actor: %q is no handle; want one like a3.1", s)
	}
	return h, nil
}
