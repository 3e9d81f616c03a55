package profile

import (
	"cmp"
	"sync"
	"sync/atomic"
	"time"
)

// Config configures a Profile; the zero Config is usable.
type Config struct {
	// Program is what is run, as pprof shows it in its heading; empty is "program".
	Program string
	// Interval is the time between two samples; 0 means 10 ms. A shorter one makes a profile finer and
	// the program slower: a sample takes some microseconds. Below 0 the Profile measures no time; its host
	// calls Advance.
	Interval time.Duration
	// Steps, if it is above 0, counts steps in place of time: each so many points at which the engine may
	// take a sample it takes one. These are the instructions of a Lua program, and the calls and jumps
	// back of one in minigo. The same run then gives the same profile on any machine.
	Steps int
	// MaxStacks is how many different stacks are kept, each of at most MaxFrames calls; 0 means 20,000, for
	// which 80 MB are enough. When so many are known, a new stack is kept without the name of its fiber;
	// when there are twice as many, it is counted as "(other stacks)". Four times as many places in programs
	// are known, the others are "(other functions)", and long names are cut.
	MaxStacks int
}

const (
	defaultInterval  = 10 * time.Millisecond
	defaultMaxStacks = 20_000
)

// Profile gathers samples of the programs of any number of hosts. Its methods may be called by any
// goroutine.
type Profile struct {
	cfg   Config
	start time.Time
	clock source
	end   chan struct{} // closed by Stop
	ended chan struct{} // closed when the goroutine has ended
	soon  atomic.Bool   // time is given before long

	mu       sync.Mutex
	stopped  bool
	took     time.Duration // from Start to Stop
	samplers map[*Sampler]struct{}
	given    time.Duration // to all samplers
	table    table
}

// source is what time is measured by.
type source struct {
	wall func() time.Duration                 // since Start
	cpu  func() (used time.Duration, ok bool) // of the process since Start; not ok if that is not known
}

// Start begins a Profile. It starts a goroutine, which Stop ends, unless Config.Steps is set or Interval is
// below 0.
func Start(cfg Config) *Profile {
	p := newProfile(cfg, newSource())
	if p.cfg.Steps > 0 || p.cfg.Interval < 0 {
		close(p.ended)
	} else {
		go p.measure()
	}
	return p
}

func newProfile(cfg Config, clock source) *Profile {
	cfg.Program = cmp.Or(cfg.Program, "program")
	if cfg.Interval == 0 {
		cfg.Interval = defaultInterval
	}
	if cfg.MaxStacks <= 0 {
		cfg.MaxStacks = defaultMaxStacks
	}
	return &Profile{
		cfg: cfg, start: time.Now(), clock: clock, end: make(chan struct{}), ended: make(chan struct{}),
		samplers: map[*Sampler]struct{}{}, table: newTable(cfg.MaxStacks),
	}
}

// Stop ends the Profile, and returns when its goroutine has ended. Nothing is sampled afterwards. A second
// Stop does nothing.
func (p *Profile) Stop() {
	p.mu.Lock()
	if !p.stopped {
		p.stopped, p.took = true, p.clock.wall()
		close(p.end)
	}
	p.mu.Unlock()
	<-p.ended
}

// measure is the goroutine: it gives the time that has passed to the schedulers that execute.
func (p *Profile) measure() {
	defer close(p.ended)
	timer := time.NewTimer(0)
	defer timer.Stop()
	ahead := p.cfg.Interval / soonPart
	for last := p.clock.wall(); p.sleep(timer, p.cfg.Interval-ahead); {
		p.soon.Store(true)
		if !p.sleep(timer, ahead) {
			return
		}
		now := p.clock.wall()
		p.give(now - last)
		p.soon.Store(false)
		last = now
	}
}

// soonPart is the part of an interval, at its end, in which time is given soon.
const soonPart = 10

// sleep returns false if the Profile has been stopped.
func (p *Profile) sleep(timer *time.Timer, d time.Duration) bool {
	timer.Reset(d)
	select {
	case <-p.end:
		return false
	case <-timer.C:
		return true
	}
}

// give gives time to each scheduler that executes at this moment. All together get no more than the CPU
// time that the process has used: on a busy machine a scheduler may execute and have no processor.
func (p *Profile) give(passed time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	running := p.running()
	if used, ok := p.clock.cpu(); ok && len(running) > 0 {
		passed = min(passed, (used-p.given)/time.Duration(len(running)))
	}
	p.giveEach(running, passed)
}

// Advance gives the time to each scheduler that executes at this moment, for a host that measures time
// itself (Config.Interval). With Config.Steps, or after Stop, it has no effect.
func (p *Profile) Advance(passed time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.giveEach(p.running(), passed)
}

func (p *Profile) giveEach(running []*Sampler, passed time.Duration) {
	if passed <= 0 || p.stopped || p.cfg.Steps > 0 {
		return
	}
	for _, s := range running {
		s.due.Add(int64(passed))
		p.given += passed
	}
}

// running are the Samplers of the schedulers that execute.
func (p *Profile) running() (all []*Sampler) {
	for s := range p.samplers {
		if s.running.Load() {
			all = append(all, s)
		}
	}
	return all
}
