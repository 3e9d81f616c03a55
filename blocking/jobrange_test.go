package blocking

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newRange is the whole range of a batch of so many jobs.
func newRange(jobs uint) *jobRange {
	var bs batches
	b := bs.open()
	b.n = jobs
	r := &b.use.whole
	r.progress.Store(progress(0, jobs))
	return r
}

// Three workers split each other's ranges, and the owner collects whenever a range is
// published: each job runs once and is collected once, after it has run.
func TestEachJobRunsOnceAndIsCollectedOnceHoweverRangesAreSplit(t *testing.T) {
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		jobs := 1 + uint(rnd.IntN(batchSize))
		var mu sync.Mutex
		ranges, published := []*jobRange{newRange(jobs)}, []*jobRange(nil)
		var done, collected [batchSize]int
		publish := func(r *jobRange) {
			r.progress.Add(publishedBit)
			mu.Lock()
			published = append(published, r)
			mu.Unlock()
		}
		split := func(pick int) (*jobRange, uint) {
			mu.Lock()
			defer mu.Unlock()
			for range ranges {
				r, first := ranges[pick%len(ranges)].split()
				if pick++; r != nil {
					ranges = append(ranges, r)
					return r, first
				}
			}
			return nil, noJob
		}
		collect := func() (n int) {
			mu.Lock()
			now := published
			published = nil
			mu.Unlock()
			for _, r := range now {
				for end := r.finished(); r.collected < end; r.collected++ {
					assert.Equal(t, 1, done[r.collected], "job %d", r.collected)
					collected[r.collected]++
					n++
				}
			}
			return n
		}
		var workers sync.WaitGroup
		for range 3 {
			pick := rnd.IntN(100)
			workers.Go(func() {
				for r, at := split(pick); r != nil; r, at = split(pick) {
					for signal := false; at != noJob; {
						done[at]++
						runtime.Gosched()
						if at, signal = r.claim(); signal {
							publish(r)
						}
					}
				}
			})
		}
		for n := 0; n < int(jobs); runtime.Gosched() {
			n += collect()
		}
		workers.Wait()
		require.Zero(t, collect())
		for i := range batchSize {
			want := min(1, max(0, int(jobs)-i))
			require.Equal(t, want, done[i], "job %d of %d", i, jobs)
			require.Equal(t, want, collected[i])
		}
	}
}

// What is left of a range is halved again and again, down to the last job.
func TestASplitTakesTheUpperHalfOfWhatIsLeft(t *testing.T) {
	r := newRange(8)
	assert.EqualValues(t, 8, r.unclaimed())
	whole, first := r.split()
	assert.Same(t, r, whole)
	assert.Zero(t, first)
	for _, want := range []struct{ first, taken, stays uint }{{4, 3, 3}, {2, 1, 1}, {1, 0, 0}} {
		part, first := r.split()
		assert.Equal(t, want.first, first)
		assert.Equal(t, want.taken, part.unclaimed())
		assert.Equal(t, want.stays, r.unclaimed())
	}
	part, _ := r.split()
	assert.Nil(t, part)
	at, publish := r.claim()
	assert.EqualValues(t, uint(noJob), at)
	assert.True(t, publish)
	assert.Zero(t, r.unclaimed())
}

// The memory of collected batches is used again, that of a burst is freed, and a token finds
// its job all the same.
func TestACollectedBatchIsUsedAgain(t *testing.T) {
	var bs batches
	b := bs.open()
	bs.close(b)
	assert.Same(t, b, bs.open())
	var burst []*batch
	for range 2 * maxFree {
		burst = append(burst, bs.open())
	}
	for _, b := range burst {
		bs.close(b)
	}
	assert.Len(t, bs.free, maxFree)
	assert.Len(t, bs.freeNumbers, maxFree)
	for range 2 * maxFree {
		b := bs.open()
		assert.Same(t, bs.all[b.number], b)
	}
	assert.Len(t, bs.all, 2*maxFree+1)
	assert.Empty(t, bs.freeNumbers)
}
