package ioqueue

import "github.com/selvage-dev/selvage/fiber"

// slotBits is the number of low bits of a token that name its slot. Package
// internal/opqueue makes the tokens and has the whole layout.
const slotBits = 24

// SlotOf is a small number for a token that has not ended: no two such tokens of a queue
// have the same. It is at most the number of tokens that existed at once, plus the retired
// slots (one in 2²⁴ operations). Devices index their own tables by it. A later token can have
// the same number, so such a table must store the token too.
func SlotOf(t fiber.Token) uint32 {
	return uint32(t & (1<<slotBits - 1))
}
