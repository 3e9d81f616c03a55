package fibers

import (
	"sync/atomic"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/island"
)

// islands is this Host as one of the islands of a program: Lua states that share nothing, each
// with a scheduler and a goroutine of its own. The first island runs the program. Islands are
// made by it and by each other, and the first ends them all when the program has ended.
type islands struct {
	*tasks
	host    *Host
	virtual bool
	isle    *island.Island // nil until the first island or port is made
	set     *islandSet
	reg     atomic.Pointer[island.Registry] // that of set, for other goroutines
	ports   *ports
	handles *typeOf[*islandHandle]
}

// islandHandle is an island as the program that has made it holds it.
type islandHandle struct {
	*childIsland
	alive   *island.Sender[bool] // carries no values: it is closed when the island has ended
	results map[*port]bool       // the open ports of the tasks that wait for results from the island
}

func newIslands(h *Host, virtual bool) *islands {
	i := &islands{tasks: h.tasks, host: h, virtual: virtual}
	i.handles = newType(h.env, typeSpec[*islandHandle]{library: "fiber", kind: "island", self: "island", show: islandName, methods: i.methods})
	i.ports = newPorts(i)
	return i
}

// Registry has the islands of the program that runs, the first of which is "main": those that it has made, and
// this Host; an island's Host has the Registry of its program. It is nil until a program has made an island
// or a port, and empty after that program has ended. Any goroutine may ask; only look at it.
func (h *Host) Registry() *island.Registry { return h.islands.reg.Load() }

func islandName(h *islandHandle) string { return h.isle().Name() }

func (i *islands) methods(t *typeOf[*islandHandle]) functions {
	return functions{
		"spawn": func(L *glua.LState) int { return i.spawnOn(L, t.receiver(L)) },
		"name":  t.string(islandName),
	}
}

// local returns this Host as an island. The first call makes it one.
func (i *islands) local(L *glua.LState) *island.Island {
	if i.isle == nil {
		if i.cfg.On != nil {
			L.RaiseError("islands and ports need a Host with a Runtime of its own (Config.On)")
		}
		if i.virtual {
			L.RaiseError("islands and ports need real time (Config.Runtime.Clock)")
		}
		i.set = &islandSet{first: i.host, reg: island.Registry{SelfContained: true}, unobserved: i.cfg.Runtime.Unobserved}
		i.reg.Store(&i.set.reg)
		i.check(L, i.join("main", island.Config{}))
		i.share()
	}
	return i.isle
}

func (i *islands) join(name string, cfg island.Config) (err error) {
	cfg.Name = name
	i.isle, err = i.set.reg.Join(&i.rt.Scheduler().Core, cfg)
	return err
}

// create is fiber.island([name]).
func (i *islands) create(L *glua.LState) int {
	i.self(L)
	i.local(L)
	cfg := i.cfg
	cfg.Access = cfg.Access.After(time.Duration(i.rt.Scheduler().Now()))
	cfg.Access.Env = i.vars
	child, err := i.set.create(i.rt.Scheduler().Unwind().Context(), cfg, i.guest, L.OptString(1, ""))
	i.check(L, err)
	h := &islandHandle{childIsland: child, results: map[*port]bool{}}
	h.alive, err = island.Dial[bool](i.isle, alivePort(child.isle().Name()))
	i.check(L, err)
	h.alive.OnClosed(h.ended)
	return push(L, i.handles.wrap(h))
}

// ended closes the ports of the tasks whose results can no longer come. Results that the island
// has sent arrive before that.
func (h *islandHandle) ended() {
	for results := range h.results {
		_ = results.Close() // no error: it was open
	}
}

// leave is called when the program of this Host has ended with err. The first island ends all
// others. leave returns err, or the deadlock that spans several islands.
func (i *islands) leave(err error) error {
	isle := i.isle
	if isle == nil {
		return err
	}
	i.isle, i.ports.senders = nil, nil
	if d := isle.Deadlock(); d != nil {
		err = d
	}
	isle.Leave(err)
	i.set.stopAll()
	return err
}
