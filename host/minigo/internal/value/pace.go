package value

// The work of an operation is counted in steps, as calls and backward jumps are: a step for
// StepBytes bytes, or for one element that is visited.
const (
	StepBytes = 256
	// PieceBytes is how much an operation does, at most, before it asks whether it may go on.
	PieceBytes = 64 * StepBytes
)

// Pace counts the work of an operation. The zero Pace is that of an attempt, which ends when the
// operation turns out to take long; another one then begins anew, with a poll. The nil Pace counts
// nothing.
type Pace struct {
	bytes int
	poll  func(steps int)
}

// NewPace makes a Pace; poll gets the steps of each piece of work, and may suspend the operation.
func NewPace(poll func(steps int)) *Pace { return &Pace{poll: poll} }

// Spend counts work that has been done or is about to be done: up to PieceBytes of it.
func (p *Pace) Spend(bytes int) {
	if p == nil {
		return
	}
	if p.bytes += bytes; p.bytes >= PieceBytes && p.poll != nil {
		steps := p.bytes / StepBytes
		p.bytes %= StepBytes
		p.poll(steps)
	}
}

// Over reports whether an attempt has failed.
func (p *Pace) Over() bool { return p != nil && p.poll == nil && p.bytes > PieceBytes }

// Expect counts, in an attempt, work that an operation has still to do.
func (p *Pace) Expect(bytes int) {
	if p.poll == nil {
		p.bytes += bytes
	}
}

// Effect reports whether work may begin that has an effect beyond what the operation returns. An attempt
// counts it here, and may not begin it if that ends the attempt; otherwise Progress counts it.
func (p *Pace) Effect(bytes int) bool {
	p.Expect(bytes)
	return !p.Over()
}

// Progress counts work that Effect has allowed, unless that has counted it.
func (p *Pace) Progress(bytes int) {
	if p.poll != nil {
		p.Spend(bytes)
	}
}

// Bytes is the work of an attempt.
func (p *Pace) Bytes() int { return p.bytes }

// Reset begins another attempt.
func (p *Pace) Reset() { p.bytes = 0 }

// Settle counts the work so far, so that an operation is suspended before it goes on if it has to be.
func (p *Pace) Settle() {
	if p.poll != nil {
		steps := p.bytes / StepBytes
		p.bytes %= StepBytes
		p.poll(steps)
	}
}

// Flush counts what is left of the work, rounded up to a step.
func (p *Pace) Flush() {
	steps := Steps(p.bytes)
	p.bytes = 0
	p.poll(steps)
}

// Steps is what work on so many bytes costs.
func Steps(bytes int) int { return (bytes + StepBytes - 1) / StepBytes }

// Pieces calls f for each piece of the range from lo to hi, in which an element has size
// bytes, at least 1.
func (p *Pace) Pieces(lo, hi, size int, f func(lo, hi int)) {
	each := PieceBytes/size + 1
	for ; lo < hi && !p.Over(); lo += each {
		end := min(hi, lo+each)
		f(lo, end)
		p.Spend((end - lo) * size)
	}
}

// Backward is Pieces with the last piece first.
func (p *Pace) Backward(lo, hi, size int, f func(lo, hi int)) {
	each := PieceBytes/size + 1
	for ; lo < hi && !p.Over(); hi -= each {
		from := max(lo, hi-each)
		f(from, hi)
		p.Spend((hi - from) * size)
	}
}
