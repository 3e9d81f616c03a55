package recorder

import (
	"fmt"
	"strings"
	"weak"

	"github.com/selvage-dev/selvage/fiber"
)

// maxObjects is how many objects get a number; later ones are not known.
const maxObjects = 1 << 20

// maxKnown is how many objects are found again when no fiber has waited on them for a while.
const maxKnown = 1 << 16

// objects numbers the objects that fibers wait on, in the order in which they are met. An object is its
// anchor. The last one of each slot of the scheduler stays in memory; the others are not kept.
type objects struct {
	slots []object // by the slot of the anchor: the object that had it last
	known map[weak.Pointer[fiber.Anchor]]uint32
	kinds texts
	kind  []uint32 // by number: in kinds
}

type object struct {
	anchor *fiber.Anchor
	number uint32
}

func (o *objects) number(source fiber.Source) uint32 {
	anchor := source.Anchored()
	slot := anchor.Slot()
	for int(slot) >= len(o.slots) {
		o.slots = append(o.slots, object{})
	}
	if at := &o.slots[slot]; at.anchor != anchor {
		*at = object{anchor, o.find(anchor, source)}
	}
	return o.slots[slot].number
}

// find numbers an object that another one stood in the place of.
func (o *objects) find(anchor *fiber.Anchor, source fiber.Source) uint32 {
	p := weak.Make(anchor)
	if n, ok := o.known[p]; ok {
		return n
	}
	if o.known == nil || len(o.known) == maxKnown {
		o.known = map[weak.Pointer[fiber.Anchor]]uint32{}
	}
	if len(o.kind) == maxObjects {
		return 0
	}
	o.kind = append(o.kind, o.kinds.number(kindOf(source)))
	o.known[p] = uint32(len(o.kind))
	return uint32(len(o.kind))
}

// name is what an object says of itself, with its number if that is one word, as for objects without a name.
func (o *objects) name(n uint32) string {
	if n == 0 {
		return ""
	}
	kind := o.kinds.at(o.kind[n-1])
	if strings.Contains(kind, " ") {
		return kind
	}
	return fmt.Sprintf("%s#%d", kind, n)
}

// kindOf is what an object says of itself, without its state.
func kindOf(source fiber.Source) string {
	d, ok := source.(fiber.Described)
	if !ok {
		return strings.TrimPrefix(fmt.Sprintf("%T", source), "*")
	}
	kind, _, _ := strings.Cut(d.Describe(), " (")
	kind, _, _ = strings.Cut(kind, ", ")
	return kind
}
