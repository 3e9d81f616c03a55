package fibers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// DefaultMaxIslands is how many islands a program may make.
const DefaultMaxIslands = 256

// geography are the islands of a program: Lua states that share nothing, each with a scheduler
// and a goroutine of its own. The first, which runs the program, has made the others, or
// they each other; it ends them when the program has ended.
type geography struct {
	isle    *island.Island // this Host's; nil before the first island or port is made
	all     *archipelago
	senders map[string]*glua.LUserData // open ones, by port
}

// archipelago is what all islands of a program have in common.
type archipelago struct {
	reg island.Registry

	mu     sync.Mutex
	made   int
	others []*outpost
}

// outpost is an island that a program has made, and the goroutine that owns it.
type outpost struct {
	host *Host
	stop context.CancelCauseFunc
	done chan struct{}
	err  error
	told []*scheduler.UnobservedError
}

// colony is an island as the program that has made it holds it.
type colony struct {
	*outpost
	by    *Host
	alive *island.Sender[bool] // nothing is sent: it is closed when the island has ended
	ends  map[*port]bool       // of those who wait for the end of what runs there
}

func (c *colony) home() *Host { return c.by }

func (h *Host) openIsland() {
	h.types.island = h.newType("fiber.island", map[string]glua.LGFunction{"spawn": h.islandSpawn, "name": h.islandName})
	h.nameType(h.types.island, "island", func(L *glua.LState) string { return h.checkIsland(L).isle().Name() })
}

func (h *Host) checkIsland(L *glua.LState) *colony {
	return receiver[*colony](h, L, "island", "island")
}

func (o *outpost) isle() *island.Island { return o.host.geography.isle }

// isle is this Host as an island.
func (h *Host) isle(L *glua.LState) *island.Island {
	if h.geography.isle == nil {
		if h.outside.virtual {
			L.RaiseError("islands and ports need real time; run the program without --virtual")
		}
		h.geography.all = &archipelago{reg: island.Registry{SelfContained: true}}
		h.check(L, h.joinIslands("main", island.Config{}))
	}
	return h.geography.isle
}

func (h *Host) joinIslands(name string, cfg island.Config) (err error) {
	cfg.Name = name
	h.geography.isle, err = h.geography.all.reg.Join(&h.rt.Scheduler().Core, cfg)
	return err
}

// newIsland is fiber.island([name]).
func (h *Host) newIsland(L *glua.LState) int {
	h.self(L)
	h.isle(L)
	o, err := h.geography.all.found(h.cfg, L.OptString(1, ""))
	h.check(L, err)
	c := &colony{outpost: o, by: h, ends: map[*port]bool{}}
	c.alive, err = island.Dial[bool](h.isle(L), lifeOf(o.isle().Name()))
	h.check(L, err)
	c.alive.OnClosed(c.ended)
	L.Push(object(c, h.types.island))
	return 1
}

// lifeOf is the port that an island has open for as long as it lives.
func lifeOf(island string) string { return "life of " + island }

// ended tells everybody who waits for something that the island has not done. What it has
// still sent comes before that.
func (c *colony) ended() {
	for end := range c.ends {
		_ = end.Close() // it was open
	}
}

// found makes an island like the one whose Config is given.
func (a *archipelago) found(cfg Config, name string) (*outpost, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if most := cmp.Or(max(cfg.MaxIslands, 0), DefaultMaxIslands); a.made >= most {
		return nil, fmt.Errorf("the program has %d islands, and may have no more; spawn on those there are", most)
	}
	a.made++
	if name == "" {
		name = fmt.Sprintf("island %d", a.made)
	}
	o := &outpost{done: make(chan struct{})}
	cfg.Stdin = strings.NewReader("") // the first island reads
	cfg.Runtime.Number, cfg.Runtime.Clock = a.reg.Number(), reactor.NewWallClock()
	cfg.Runtime.Observer, cfg.Runtime.Lost, cfg.Runtime.Dropped = nil, nil, nil // they are the first island's owner's
	cfg.Runtime.Unobserved = func(e *scheduler.UnobservedError) { o.told = append(o.told, e) }
	o.host = New(cfg)
	if cfg.Islands != nil {
		cfg.Islands(o.host)
	}
	o.host.geography.all = a
	ctx, stop := context.WithCancelCause(context.Background())
	o.stop = stop
	if err := o.host.joinIslands(name, island.Config{KeepAlive: true, Stop: stop}); err != nil {
		o.host.Close()
		return nil, err
	}
	if _, err := island.Open[bool](o.isle(), lifeOf(name), 1); err != nil {
		o.isle().Leave(err)
		o.host.Close()
		return nil, err
	}
	a.others = append(a.others, o)
	go o.own(ctx)
	return o, nil
}

// own is the life of the island's goroutine.
func (o *outpost) own(ctx context.Context) {
	defer close(o.done)
	o.err = o.host.rt.Run(ctx)
	isle := o.host.geography.isle
	if d := isle.Deadlock(); d != nil {
		o.err = d
	}
	isle.Leave(o.err)
	o.host.Close()
}

// leave ends the other islands, when the program of the first has ended as err says, and
// gives that, or the deadlock that spans them.
func (h *Host) leave(err error) error {
	isle := h.geography.isle
	if isle == nil {
		return err
	}
	h.geography.isle, h.geography.senders = nil, nil
	if d := isle.Deadlock(); d != nil {
		err = d
	}
	isle.Leave(err)
	all := h.geography.all
	for {
		all.mu.Lock()
		others := all.others
		all.others = nil
		all.mu.Unlock()
		if len(others) == 0 {
			return err
		}
		for _, o := range others {
			o.stop(scheduler.ErrMainReturned)
		}
		for _, o := range others {
			<-o.done
			for _, e := range o.told {
				if h.cfg.Runtime.Unobserved != nil {
					h.cfg.Runtime.Unobserved(e)
				}
			}
		}
	}
}

func (h *Host) islandName(L *glua.LState) int {
	L.Push(glua.LString(h.checkIsland(L).isle().Name()))
	return 1
}

// islandSpawn is island:spawn(f, ...): a task of this island that ends as the fiber there
// does. What the fiber returns comes through a port, so that the task's waiting is seen for
// what it is.
func (h *Host) islandSpawn(L *glua.LState) int {
	to, fn := h.checkIsland(L), L.CheckFunction(2)
	proto, err := portable(fn)
	h.check(L, err)
	load, err := h.stow(copied(L, 3))
	h.check(L, err)
	if to.alive.Err() != nil {
		h.check(L, fmt.Errorf("spawn: %s: %s", to.isle().Name(), islandEnded))
	}
	end, err := h.port(L, h.objectName(L), 1)
	h.check(L, err)
	at := site(L)
	errand := &errand{host: to.host, proto: proto, args: load, site: at, end: end.Port.Name()}
	if err := to.host.rt.Scheduler().Inbox().Do(errand.begin); err != nil {
		_ = end.Close() // it was open
		h.check(L, fmt.Errorf("spawn: %s: %s", to.isle().Name(), plain(err)))
	}
	t := &task{host: h}
	wait := &attendance{h, to, end, errand}
	to.ends[end] = true
	t.stack, err = h.rt.GoLinked(at, wait.attend, wait)
	if err != nil {
		errand.cause = err
		wait.over()
	}
	h.checkSpawn(L, err)
	L.Push(t.object())
	return 1
}

// portable is a function that needs nothing of its state: its code can be run in another.
func portable(fn *glua.LFunction) (*glua.FunctionProto, error) {
	switch {
	case fn.IsG:
		return nil, errors.New("spawn: a Lua function expected, got one of the host's; wrap it in a function")
	case fn.Proto.NumUpvalues > 0:
		return nil, fmt.Errorf("spawn: the function uses the local variable %q of its surroundings, which the other island does not have; pass it as an argument", fn.Proto.DbgUpvalues[0])
	}
	return fn.Proto, nil
}

// errand is a function on its way to another island.
type errand struct {
	host  *Host // there
	proto *glua.FunctionProto
	args  cargo
	site  string
	end   string // the port to which its end is sent
	cause error  // of its cancellation; written before that port is closed
}

// begin runs there.
func (e *errand) begin() {
	h := e.host
	back, err := island.Dial[cargo](h.geography.isle, e.end)
	if err != nil {
		return // nobody waits for it any more
	}
	base := h.state.Base()
	link := &homecoming{host: h, back: back, errand: e}
	t, err := h.startBy(func(site string, code stackful.Func) (*stackful.Task, error) {
		return h.rt.GoLinked(site, link.watch(code), link)
	}, e.site, h.state.Spawn(base), base.NewFunctionFromProto(e.proto), h.unload(e.args))
	if err != nil {
		link.tell(nil, err)
		return
	}
	back.OnClosed(func() { _ = h.rt.Scheduler().Cancel(t.stack.ID(), e.cause) }) // it may have ended meanwhile
}

// homecoming sends the end of a fiber to who has spawned it.
type homecoming struct {
	host *Host
	back *island.Sender[cargo]
	told bool
	*errand
}

func (l *homecoming) watch(code stackful.Func) stackful.Func {
	return func(f *stackful.Fiber) (any, error) {
		result, err := code(f)
		values, _ := result.([]glua.LValue)
		l.tell(values, err)
		return nil, nil // who has spawned it has the error
	}
}

// Died tells the end of a fiber that was killed before it ran.
func (l *homecoming) Died(d fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	if !l.told {
		l.tell(nil, d.Err)
	}
	return wakes, orders
}

// tell never waits: the ring has room for the one end there is.
func (l *homecoming) tell(values []glua.LValue, err error) {
	l.told = true
	load := cargo{}
	if err == nil {
		load, err = l.host.stow(append([]glua.LValue{glua.LTrue}, values...))
	}
	if err != nil {
		load = cargo{values: []any{glua.LFalse, glua.LString(failure(err))}}
		if g := new(GuestError); errors.As(err, &g) {
			if value, wrong := l.host.stow([]glua.LValue{g.Value}); wrong == nil {
				load.values[1] = value.values[0]
			}
		}
	}
	_, _ = l.back.TrySend(load) // refused: nobody waits any more
	_ = l.back.Close()
}

func failure(err error) string {
	if g := new(GuestError); errors.As(err, &g) {
		return g.Message
	}
	return plain(err)
}

// attendance is the task on this side: it waits for the end there.
type attendance struct {
	host *Host
	to   *colony
	end  *port
	*errand
}

const islandEnded = "the island has ended"

func (a *attendance) attend(f *stackful.Fiber) (any, error) {
	defer a.over()
	r := island.RecvFrom(a.end.Port)
	if _, err := f.Select(wait.NewSelect(r)); err != nil {
		a.cause = err
		if i := new(stackful.Interrupt); errors.As(err, &i) {
			a.cause = i.Cause
		}
		return nil, err
	}
	load, ok := r.Value()
	if !ok {
		return nil, &GuestError{Message: islandEnded, Value: glua.LString(islandEnded)}
	}
	values := a.host.unload(load)
	if values[0] != glua.LTrue {
		return nil, &GuestError{Value: values[1], Message: text(values[1])}
	}
	return values[1:], nil
}

// Died is for a task that was killed before it ran.
func (a *attendance) Died(d fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	if a.to.ends[a.end] {
		a.cause = d.Err
		a.over()
	}
	return wakes, orders
}

// over: if the fiber there has not ended, it is cancelled; it hears that the port is closed.
func (a *attendance) over() {
	delete(a.to.ends, a.end)
	_ = a.end.Close() // it may have been closed with the island
}

// lockedWriter is a stream that several islands write to.
type lockedWriter struct {
	mu sync.Mutex
	to io.Writer
}

// locked is the stream, locked once; the files of the process need no lock.
func locked(to io.Writer) io.Writer {
	if _, is := to.(*lockedWriter); is || to == nil {
		return to
	}
	return &lockedWriter{to: to}
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}
