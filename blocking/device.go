package blocking

import "github.com/selvage-dev/selvage/fiber"

// device is the pool as the scheduler polls it. The two methods are kept off Pool because
// only the scheduler may call them.
type device Pool

// Serve cancels the work of abandoned operations, and hands over what was submitted since the
// last poll. Cancelling comes first, so that work which is abandoned before it is handed over
// never begins.
func (d *device) Serve(abandoned []fiber.Token) {
	p := (*Pool)(d)
	for _, tok := range abandoned {
		p.batches.cancel(tok, ErrAbandoned)
	}
	p.flush()
}

// Collect completes the tokens of all finished jobs.
func (d *device) Collect() {
	if p := (*Pool)(d); p.finished.Load() != nil {
		p.collect()
	}
}

// collect goes through the published ranges in the order of their publication.
func (p *Pool) collect() {
	var first *jobRange
	for r := p.finished.Swap(nil); r != nil; { // the latest is first: turn the list around
		next := r.doneNext
		r.doneNext, first = first, r
		r = next
	}
	for r := first; r != nil; {
		// Read and cleared before collectRange: that clears the published bit, and then a worker
		// may publish r again and write doneNext.
		next := r.doneNext
		r.doneNext = nil
		p.collectRange(r)
		r = next
	}
}

// collectRange completes the tokens of a range's finished jobs, and takes the batch back after
// its last job.
func (p *Pool) collectRange(r *jobRange) {
	// finished comes first: it makes the workers' writes to the jobs visible here, and a job
	// that ends later publishes the range again.
	b, end := r.batch, r.finished()
	for i := r.collected; i < end; i++ {
		j := &b.jobs[i%batchSize]
		if p.counts != nil {
			p.counts.add(j)
		}
		p.core.Ops().CompleteFrom(j.tok, &j.done)
		j.clear()
	}
	// Several ranges of a batch are collected separately; the last one takes the batch back.
	b.left -= end - r.collected
	r.collected = end
	if b.left == 0 {
		p.batches.close(b)
	}
}
