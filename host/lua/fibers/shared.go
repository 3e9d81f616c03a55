package fibers

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/host/internal/control"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Shared is a Runtime on which several Hosts run their fibers (Config.On): they take turns on one
// goroutine, and Host.Group weighs, slows or pauses one of them among the others. Each Host keeps its Lua
// state, its Access, its quotas and its deadlocks to itself; its os.exit, its Close and a quota that it
// passes end its own fibers only. Islands and ports need a Host with a Runtime of its own.
//
// A Run or Call of a Host whose fibers wait for each other only is a *scheduler.DeadlockError, while the others
// run. Fibers of a Start wait for later calls too, and are never reported.
//
// One goroutine calls Run or Serve, which run the fibers of all Hosts. Any other goroutine makes Hosts, and
// calls their methods: New, Run, Call and Close have their work done by the one that runs, and wait for it. A
// Go function that a program has called must call none of them.
type Shared struct {
	driver
	cfg    SharedConfig
	pools  *fiberio.Pools // made at the first use
	closed bool           // Close was called
	driven bool           // a call of Run or Serve has not returned
	hosts  []*Host
	// By slot: the fiber that was there when its last time slice ended in a wait.
	parked  []fiber.ID
	changed []*Host // those whose fibers may all be blocked, or have ended

	mu      sync.Mutex
	todo    []func() // what other goroutines want; see do
	calls   []func() // calls that a run is to begin
	stopped bool     // nothing is added any more
	waiting atomic.Bool
}

// SharedConfig configures a Shared; the zero SharedConfig is usable and has virtual time.
type SharedConfig struct {
	// Runtime is for all Hosts: the clock, the time slice (Budget), and the limits of all fibers together.
	// Unobserved is not called: each Host has its own.
	Runtime stackful.Config
	// IOWorkers is how many file operations of all Hosts run at the same time; 0 means 64.
	IOWorkers int
}

// NewShared makes a Shared. Close frees it.
func NewShared(cfg SharedConfig) *Shared {
	s := &Shared{cfg: cfg}
	s.drives(newRuntime(cfg.Runtime))
	s.rt.Scheduler().Ops().AddDevice((*sharedWork)(s))
	return s
}

// Runtime is what the fibers of all Hosts run on.
func (s *Shared) Runtime() *stackful.Runtime { return s.rt }

// complete adds what all Hosts have in common to the Config of one.
func (s *Shared) complete(cfg *Config) {
	report := cfg.Runtime.Unobserved
	if cfg.Runtime.Unobserved = nil; cfg.IOWorkers != 0 || !reflect.ValueOf(cfg.Runtime).IsZero() {
		panic("fibers: Config.Runtime or IOWorkers is set beside Config.On; set them in the SharedConfig, and of Runtime only Unobserved here: " + rule.Cite(rule.ValidArgument))
	}
	cfg.Runtime = s.cfg.Runtime
	cfg.Runtime.Unobserved = report
}

// usedPools are the Pools, which the first use makes. The owner calls it.
func (s *Shared) usedPools() (*fiberio.Pools, error) {
	if s.pools == nil {
		made, err := fiberio.NewPools(s.rt, s.cfg.IOWorkers)
		if err != nil {
			return nil, err
		}
		s.pools = made
	}
	return s.pools, nil
}

// Run runs the fibers of all Hosts until every one has ended, or is blocked for good: then it returns a
// *scheduler.DeadlockError, also if the calls of the Hosts have returned theirs before. When ctx ends, all fibers are
// killed, and it returns ctx.Err().
func (s *Shared) Run(ctx context.Context) error { return s.drive(ctx, "Run") }

// Serve runs the fibers of all Hosts until ctx ends, kills those that still run, and returns ctx.Err().
// While none can run, the goroutine sleeps.
func (s *Shared) Serve(ctx context.Context) error {
	sender := s.rt.Scheduler().Inbox().NewSender()
	defer sender.Close()
	return s.drive(ctx, "Serve")
}

func (s *Shared) drive(ctx context.Context, call string) error {
	control.MustHaveContext(ctx, "fibers", call)
	if !s.owner.Take() {
		panic("fibers: " + call + " on a Shared that runs already; one goroutine runs it: " + rule.Cite(rule.OneOwner))
	}
	defer s.release()
	if s.closed {
		panic("fibers: " + call + " on a Shared that is closed; make a new one: " + rule.Cite(rule.Closed))
	}
	s.driven = true
	s.waiting.Store(true) // calls may have been posted before
	defer func() { s.driven = false }()
	err := s.rt.Scheduler().Run(ctx, (*sharedWork)(s))
	for _, h := range s.hosts {
		h.env.group.ReportUnobserved()
	}
	return err
}

// release ends the run of the caller, and carries out what has come since its last poll.
func (s *Shared) release() {
	s.owner.Release()
	s.owner.CarryOut()
	s.workIdle()
}

// Close kills all fibers, lets them unwind, and refuses new ones. Close the Hosts too, before or after. No
// run may be under way. A second Close does nothing.
func (s *Shared) Close() {
	if !s.owner.Take() {
		panic("fibers: Close of a Shared that runs; end its Run or Serve first: " + rule.Cite(rule.OneOwner))
	}
	defer s.owner.Release()
	if s.closed {
		return
	}
	s.closed = true
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	s.work()
	s.rt.Close()
	if s.pools != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		_ = s.pools.Close(ctx) // an operation that does not stop in time is abandoned
	}
	for _, h := range s.hosts {
		h.look()
		h.env.group.ReportUnobserved()
	}
}

// do has the owner call f between two time slices, and waits for that; while no run is under way, the caller calls
// it. Unlike a command of the Inbox it always finds room. The error is scheduler.ErrStopped after Close.
func (s *Shared) do(f func()) error {
	done := make(chan struct{})
	if err := s.post(&s.todo, func() { f(); close(done) }); err != nil {
		return err
	}
	s.workIdle()
	<-done
	return nil
}

// post adds to a list what the owner is to call.
func (s *Shared) post(list *[]func(), f func()) error {
	s.mu.Lock()
	if s.stopped {
		s.mu.Unlock()
		return scheduler.ErrStopped
	}
	*list = append(*list, f)
	s.waiting.Store(true)
	s.mu.Unlock()
	s.rt.Scheduler().Inbox().Notify()
	return nil
}

// workIdle does what is to do while no run is under way. It comes after each post and after the end of each
// run: one of the two finds the work.
func (s *Shared) workIdle() {
	for s.waiting.Load() && s.owner.Service() {
		s.work()
		s.owner.Release()
	}
}

// work does what other goroutines want, and looks at the Hosts that may have come to rest.
func (s *Shared) work() {
	for _, f := range s.posted() {
		f()
	}
	changed := s.changed
	s.changed = nil
	for _, h := range changed {
		h.guest.changed = false
		h.look()
	}
}

// posted takes what was posted; calls only for a run, without which they could not be ended.
func (s *Shared) posted() []func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.todo
	s.todo = nil
	s.waiting.Store(false)
	if s.driven || s.stopped {
		list = append(list, s.calls...)
		s.calls = nil
	}
	return list
}
