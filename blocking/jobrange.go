package blocking

import (
	"math"
	"sync/atomic"
)

// jobRange is a contiguous part of a batch that one worker does, one job after the other. The
// first range of a batch is all of it. An idle worker takes the upper half of what is left of
// another worker's range as a range of its own. So a job waits behind another one only while
// every worker has a job, and the finished jobs of a range are always its first ones.
//
// The progress of a range is one word. One atomic addition claims the next job; it also hands
// the previous job to the owner, and tells the worker whether the range must be published:
//
//	bits 0–15   the next job to claim; greater than the end when all are finished
//	bits 16–31  the end of the range, exclusive
//	bit 32      the range is published, and the owner has not looked since
type jobRange struct {
	progress  atomic.Uint64
	batch     *batch
	use       *batchUse
	from      uint
	collected uint      // the owner's: jobs before this one are collected
	queueNext *jobRange // the next range in the workers' queue; under its lock
	doneNext  *jobRange // the next range in Pool.finished; the publisher's until it is published, then the owner's
}

const (
	endShift     = 16
	publishedBit = 1 << 32
)

// progress packs the word of a range that is not published.
func progress(next, end uint) uint64 { return uint64(next) | uint64(end)<<endShift }

func nextOf(progress uint64) uint { return uint(progress & 0xffff) }

func endOf(progress uint64) uint { return uint(progress >> endShift & 0xffff) }

// unclaimed returns how many jobs of the range no worker has claimed.
func (r *jobRange) unclaimed() uint {
	p := r.progress.Load()
	return endOf(p) - min(nextOf(p), endOf(p))
}

// job returns a job of the range and its context.
func (r *jobRange) job(i uint) (*job, *workContext) {
	return &r.batch.jobs[i%batchSize], &r.use.contexts[i%batchSize]
}

// noJob is the index of no job.
const noJob = math.MaxUint

// claim finishes the job that the worker claimed before, and returns the next one or noJob.
// Publish is true if a job is finished and the range is not published.
func (r *jobRange) claim() (at uint, publish bool) {
	// An unconditional addition, and not a compare-and-swap: a range has one worker, and an
	// idle one that splits it changes only the end. At the end next exceeds it by one.
	now := r.progress.Add(1)
	at = nextOf(now) - 1
	publish = now&publishedBit == 0 && at > r.from
	if at >= endOf(now) {
		at = noJob
	}
	return at, publish
}

// split returns a range for an idle worker, with its first job claimed: this range if no
// worker has begun it, else the upper half of what is left of it, or nil if nothing is.
func (r *jobRange) split() (part *jobRange, first uint) {
	for {
		now := r.progress.Load()
		next, end := nextOf(now), endOf(now)
		switch {
		case next >= end:
			return nil, noJob
		case next == r.from:
			if r.progress.CompareAndSwap(now, now+1) {
				return r, next
			}
		default:
			middle := next + (end-next)/2
			if r.progress.CompareAndSwap(now, now&^(0xffff<<endShift)|uint64(middle)<<endShift) {
				return r.upper(middle, end), middle
			}
		}
	}
}

// upper makes the range of the jobs from..end, with the first one claimed.
func (r *jobRange) upper(from, end uint) *jobRange {
	u := &jobRange{batch: r.batch, use: r.use, from: from, collected: from}
	u.progress.Store(progress(from+1, end))
	return u
}

// finished clears the published bit and returns the index up to which the owner can collect.
// Only the owner calls it, once for each time the range was published. The addition clears
// the bit and reads the progress in one step, so a job that ends later publishes the range again.
// It also orders memory: what a worker wrote into a job happens before its next claim, which is an
// addition to the same word, and so before the owner reads that job.
func (r *jobRange) finished() (end uint) {
	now := r.progress.Add(^uint64(publishedBit - 1))
	return min(nextOf(now)-1, endOf(now))
}
