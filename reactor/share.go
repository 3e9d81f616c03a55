package reactor

import (
	"math"
	"sync/atomic"
)

// share is a part of a batch that one worker does, one piece after the other: all of it at
// first. Who has nothing to do takes what it can get of another's share, which ends earlier
// then, and has that as a share of its own. So a piece waits behind another only while every
// worker has one, and those of a share that are done are always its first.
//
// How far it has come is one word. To claim a piece is one step on it, which hands over the
// piece before, and tells whether the owner has to be told so:
//
//	bits 0–15   the first piece that nobody has claimed; beyond the end when all are done
//	bits 16–31  the end
//	bit 32      the owner has been told, and has not looked yet
type share struct {
	progress  atomic.Uint64
	batch     *batch
	journey   *journey
	from      uint
	collected uint   // the owner's: those before it are over
	rest      *share // the one behind it in the queue
	note      *share // the next in the list of notes
}

const (
	endShift = 16
	toldBit  = 1 << 32
)

func progress(begun, end uint) uint64 { return uint64(begun) | uint64(end)<<endShift }

func begunOf(progress uint64) uint { return uint(progress & 0xffff) }

func endOf(progress uint64) uint { return uint(progress >> endShift & 0xffff) }

// left is how many pieces nobody has claimed.
func (s *share) left() uint {
	p := s.progress.Load()
	return endOf(p) - min(begunOf(p), endOf(p))
}

// piece is one of those of the batch, and its context.
func (s *share) piece(i uint) (*piece, *workContext) {
	return &s.batch.pieces[i%batchSize], &s.journey.contexts[i%batchSize]
}

// none is no piece.
const none = math.MaxUint

// claim ends the piece that its worker has claimed before, and is the next one, or none. News
// is whether there is something to be noted.
func (s *share) claim() (at uint, news bool) {
	now := s.progress.Add(1)
	at = begunOf(now) - 1
	news = now&toldBit == 0 && at > s.from
	if at >= endOf(now) {
		at = none
	}
	return at, news
}

// part is a share for a worker that has none, with its first piece claimed: this one, if
// nobody has begun it, or half of what is left of it, or nil.
func (s *share) part() (part *share, first uint) {
	for {
		now := s.progress.Load()
		begun, end := begunOf(now), endOf(now)
		switch {
		case begun >= end:
			return nil, none
		case begun == s.from:
			if s.progress.CompareAndSwap(now, now+1) {
				return s, begun
			}
		default:
			middle := begun + (end-begun)/2
			if s.progress.CompareAndSwap(now, now&^(0xffff<<endShift)|uint64(middle)<<endShift) {
				return s.taken(middle, end), middle
			}
		}
	}
}

// taken is a share of some pieces, the first of which is claimed.
func (s *share) taken(from, end uint) *share {
	t := &share{batch: s.batch, journey: s.journey, from: from, collected: from}
	t.progress.Store(progress(from+1, end))
	return t
}

// look is for the owner, who has been told: how far it can collect.
func (s *share) look() (end uint) {
	now := s.progress.Add(^uint64(toldBit - 1))
	return min(begunOf(now)-1, endOf(now))
}
