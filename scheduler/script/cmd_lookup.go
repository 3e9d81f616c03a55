package script

import (
	"strconv"

	"github.com/selvage-dev/selvage/fiber"
)

func cmdLookup(w *world, a *args) {
	s := a.word("a raw encoding")
	raw, err := strconv.ParseUint(s, 0, 32)
	if err != nil {
		a.fail("%q is no raw encoding; want a number below 2^32, as in 3 or 0x80000003", s)
	}
	if !a.done() {
		return
	}
	id, err := w.s.Inspect().Lookup(fiber.Raw(raw))
	if err != nil {
		w.deny("lookup", err)
		return
	}
	w.say("lookup: %s (%v)", w.id(id), id)
}
