package fibers

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// DefaultMaxIslands is how many islands a program may make.
const DefaultMaxIslands = 256

// islandSet is what all islands of a program share. Any of their goroutines may use it.
type islandSet struct {
	first      *Host // runs the program
	reg        island.Registry
	unobserved fiberio.Unobserved // of the first island; nil if it has none

	mu       sync.Mutex
	made     int
	children []*childIsland // those that stopAll has not stopped
}

// childIsland is an island that a program has made, and the goroutine that owns it (run).
type childIsland struct {
	host  *Host
	hooks IslandHooks
	ctx   context.Context // ends when stop is called
	stop  context.CancelCauseFunc
	done  chan struct{}
	// late are the failures that were not joined while the island was being stopped. run writes
	// them; others read them after done is closed.
	late []*scheduler.UnobservedError
}

func (c *childIsland) isle() *island.Island { return c.host.islands.isle }

// alivePort is the name of the port that an island keeps open for as long as it lives.
func alivePort(island string) string { return "life of " + island }

// create makes an island, with the Config of the island that asks for it and the values of its run,
// and starts its goroutine.
func (s *islandSet) create(run context.Context, cfg Config, guest *quota.Account, name string) (*childIsland, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if most := cmp.Or(max(cfg.MaxIslands, 0), DefaultMaxIslands); s.made >= most {
		return nil, fmt.Errorf("the program has %d islands, and may have no more; spawn on those there are", most)
	}
	s.made++
	if name == "" {
		name = fmt.Sprintf("island %d", s.made)
	}
	c := s.newChild(run, cfg, guest, name)
	if err := c.host.islands.join(name, island.Config{KeepAlive: true, Stop: c.stop}); err != nil {
		c.close()
		return nil, err
	}
	if _, err := island.Open[bool](c.isle(), alivePort(name), 1); err != nil {
		c.isle().Leave(err)
		c.close()
		return nil, err
	}
	s.children = append(s.children, c)
	go c.run()
	return c, nil
}

// newChild makes the Host of an island, which has the values of the run but not its end: stopAll stops it.
func (s *islandSet) newChild(run context.Context, cfg Config, guest *quota.Account, name string) *childIsland {
	c := &childIsland{done: make(chan struct{})}
	c.ctx, c.stop = context.WithCancelCause(context.WithoutCancel(run))
	cfg.Access.Stdin = nil // only the first island reads the input
	cfg.Runtime.Number, cfg.Runtime.Clock = s.reg.Number(), wallclock.New()
	// These belong to the owner of the first island.
	cfg.Runtime.Observer, cfg.Runtime.Lost, cfg.Runtime.Dropped = nil, nil, nil
	cfg.Runtime.Record, cfg.Runtime.OneByOne = nil, false
	cfg.Runtime.Unobserved = c.reporter(name, s.unobserved)
	cfg.Races, cfg.AccessPoints, cfg.Lua.Watcher = false, false, nil
	c.hooks = cfg.hooks(name, &cfg.Runtime.Config)
	c.host = newHost(cfg, guest)
	if cfg.Islands != nil {
		cfg.Islands(c.host)
	}
	c.hooks.made(c.host)
	c.host.islands.set = s
	c.host.islands.reg.Store(&s.reg)
	return c
}

// run is the island's goroutine: it owns the island until the island has ended.
func (c *childIsland) run() {
	defer close(c.done)
	err := c.host.runFibers(c.ctx)
	isle := c.isle()
	if d := isle.Deadlock(); d != nil {
		err = d
	}
	isle.Leave(err)
	c.close()
}

// stopAll stops the islands, and those that they make meanwhile, and waits for their end. It
// reports the failures of that time.
func (s *islandSet) stopAll() {
	for {
		s.mu.Lock()
		children := s.children
		s.children = nil
		s.mu.Unlock()
		if len(children) == 0 {
			return
		}
		for _, c := range children {
			c.stop(scheduler.ErrMainReturned)
		}
		for _, c := range children {
			<-c.done
			for _, e := range c.late {
				s.unobserved(e)
			}
		}
	}
}
