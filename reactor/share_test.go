package reactor

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newShare is all of a batch of so many pieces.
func newShare(pieces uint) *share {
	var bs batches
	b := bs.open()
	b.n = pieces
	s := &b.journey.whole
	s.progress.Store(progress(0, pieces))
	return s
}

// Workers that come and go take parts of each other's shares, and the owner looks whenever it
// is told: each piece is done once, and collected once, when it is done.
func TestHoweverABatchIsSharedEachPieceIsDoneAndCollectedOnce(t *testing.T) {
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		pieces := 1 + uint(rnd.IntN(batchSize))
		var mu sync.Mutex
		shares, notes := []*share{newShare(pieces)}, []*share(nil)
		var done, collected [batchSize]int
		tell := func(s *share) {
			s.progress.Add(toldBit)
			mu.Lock()
			notes = append(notes, s)
			mu.Unlock()
		}
		part := func(pick int) (*share, uint) {
			mu.Lock()
			defer mu.Unlock()
			for range shares {
				s, first := shares[pick%len(shares)].part()
				if pick++; s != nil {
					shares = append(shares, s)
					return s, first
				}
			}
			return nil, none
		}
		collect := func() (n int) {
			mu.Lock()
			told := notes
			notes = nil
			mu.Unlock()
			for _, s := range told {
				for end := s.look(); s.collected < end; s.collected++ {
					assert.Equal(t, 1, done[s.collected], "piece %d", s.collected)
					collected[s.collected]++
					n++
				}
			}
			return n
		}
		var workers sync.WaitGroup
		for range 3 {
			pick := rnd.IntN(100)
			workers.Go(func() {
				for s, at := part(pick); s != nil; s, at = part(pick) {
					for news := false; at != none; {
						done[at]++
						runtime.Gosched()
						if at, news = s.claim(); news {
							tell(s)
						}
					}
				}
			})
		}
		for n := 0; n < int(pieces); runtime.Gosched() {
			n += collect()
		}
		workers.Wait()
		require.Zero(t, collect())
		for i := range batchSize {
			want := min(1, max(0, int(pieces)-i))
			require.Equal(t, want, done[i], "piece %d of %d", i, pieces)
			require.Equal(t, want, collected[i])
		}
	}
}

// What is left of a share is halved again and again, down to the last piece.
func TestAPartIsHalfOfWhatIsLeft(t *testing.T) {
	s := newShare(8)
	assert.EqualValues(t, 8, s.left())
	whole, first := s.part()
	assert.Same(t, s, whole)
	assert.Zero(t, first)
	for _, want := range []struct{ first, left, stays uint }{{4, 3, 3}, {2, 1, 1}, {1, 0, 0}} {
		part, first := s.part()
		assert.Equal(t, want.first, first)
		assert.Equal(t, want.left, part.left())
		assert.Equal(t, want.stays, s.left())
	}
	part, _ := s.part()
	assert.Nil(t, part)
	at, news := s.claim()
	assert.EqualValues(t, uint(none), at)
	assert.True(t, news)
	assert.Zero(t, s.left())
}

// The memory of batches that are over is used again, and that of a burst given back; a token
// finds its piece all the same.
func TestABatchThatIsOverIsUsedAgain(t *testing.T) {
	var bs batches
	b := bs.open()
	bs.close(b)
	assert.Same(t, b, bs.open())
	var burst []*batch
	for range 2 * keptBatches {
		burst = append(burst, bs.open())
	}
	for _, b := range burst {
		bs.close(b)
	}
	assert.Len(t, bs.spare, keptBatches)
	assert.Len(t, bs.holes, keptBatches)
	for range 2 * keptBatches {
		b := bs.open()
		assert.Same(t, bs.all[b.number], b)
	}
	assert.Len(t, bs.all, 2*keptBatches+1)
	assert.Empty(t, bs.holes)
}
