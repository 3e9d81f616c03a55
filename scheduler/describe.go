package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// operationText is what an operation is, for reports.
type operationText struct {
	token    fiber.Token // the text is of no other token in the slot
	what, of string
}

// operationTexts has a place for each slot of the token table, as far as tokens were described.
type operationTexts []operationText

// at is the text of a token; the zero text if nothing was told.
func (t operationTexts) at(tok fiber.Token) operationText {
	if slot := ioqueue.SlotOf(tok); uint64(slot) < uint64(len(t)) && t[slot].token == tok {
		return t[slot]
	}
	return operationText{}
}

// set keeps the text of a token that has not ended. The table doubles, so its growth is amortized.
func (t *operationTexts) set(text operationText) {
	slot := int(ioqueue.SlotOf(text.token))
	if n := len(*t); slot >= n {
		*t = append(*t, make([]operationText, max(slot+1, 2*n)-n)...)
	}
	(*t)[slot] = text
}
