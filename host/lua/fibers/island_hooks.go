package fibers

import "github.com/selvage-dev/selvage/scheduler"

// IslandHooks follow one island that a program makes. Nil is not called.
type IslandHooks struct {
	// Made is called for the Host of the island before it runs, where Config.Islands is called.
	Made func(*Host)
	// Ended is called when the island's fibers have ended and its Host is closed, before the run of the program
	// returns. The goroutine that owned the island calls. An island that could not begin, because there is one of
	// its name, has ended too.
	Ended func()
}

// hooks are those of an island whose scheduler is made with cfg.
func (c *Config) hooks(island string, cfg *scheduler.Config) IslandHooks {
	if c.IslandHooks == nil {
		return IslandHooks{}
	}
	return c.IslandHooks(island, cfg)
}

// made tells of the Host of an island.
func (i IslandHooks) made(h *Host) {
	if i.Made != nil {
		i.Made(h)
	}
}

// close closes the Host of the island, and tells of it.
func (c *childIsland) close() {
	c.host.Close()
	if c.hooks.Ended != nil {
		c.hooks.Ended()
	}
}
