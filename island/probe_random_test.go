package island

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/require"
)

var probeLong = flag.Bool("probelong", false, "play a hundred times as many random games of prober")

// randomRun is islands in one goroutine that send, close, wait and go to sleep as chance has it. All
// that happens is known, so it is known which of them are in a deadlock.
type randomRun struct {
	t    *testing.T
	rng  *rand.Rand
	r    *Registry
	all  []*member
	over bool // an island that is woken leaves
}

// member is an island that is busy as long as it holds its own inbox.
type member struct {
	*stepped
	hold    *scheduler.Sender
	ports   []*Port[int]
	senders []*Sender[int]
	gone    bool
	known   bool // that it was found to be in deadlock
}

func newRandomRun(t *testing.T, seed uint64) *randomRun {
	g := &randomRun{t: t, rng: rand.New(rand.NewPCG(seed, 43)), r: &Registry{SelfContained: true}}
	for k := range 2 + g.rng.IntN(5) {
		cfg := Config{Name: fmt.Sprint(k), Mailbox: 1, KeepAlive: g.rng.IntN(4) == 0}
		if g.rng.IntN(8) == 0 {
			cfg.ProbeAfter = 1
		}
		h := &member{stepped: newStepped(t, g.r, cfg)}
		h.hold = h.s.Inbox().NewSender()
		g.all = append(g.all, h)
	}
	for range len(g.all) + g.rng.IntN(2*len(g.all)) {
		g.connect(g.any(), 1+g.rng.IntN(2))
	}
	return g
}

func (g *randomRun) any() *member { return g.all[g.rng.IntN(len(g.all))] }

// connect opens a port with some Senders, to which others can be opened in some games.
func (g *randomRun) connect(to *member, capacity int) {
	p, err := Open[int](to.Island, fmt.Sprintf("%s.%d", to.Name(), len(to.ports)), capacity)
	require.NoError(g.t, err)
	to.ports = append(to.ports, p)
	for range 1 + g.rng.IntN(2) {
		from := g.any()
		s, err := Dial[int](from.Island, p.Name())
		require.NoError(g.t, err)
		from.senders = append(from.senders, s)
	}
	if to.s.Poll(); g.rng.IntN(5) > 0 {
		p.Seal()
	}
}

// act is something that a busy island does.
func (g *randomRun) act(h *member) {
	switch g.rng.IntN(7) {
	case 0, 1:
		if len(h.senders) > 0 {
			_, _ = h.senders[g.rng.IntN(len(h.senders))].TrySend(1) // it may be full, or closed
		}
	case 2:
		if len(h.senders) > 0 && g.rng.IntN(3) == 0 {
			_ = h.senders[g.rng.IntN(len(h.senders))].Close() // it may be closed
		}
	case 3, 4:
		g.waits(h)
	default:
		g.waits(h)
		h.hold.Close()
		h.hold = nil
	}
}

// waits has a fiber of the island receive or send, if it would have to wait.
func (g *randomRun) waits(h *member) {
	if h.s.Poll() {
		return // it has something to do
	}
	if k := g.rng.IntN(len(h.ports) + len(h.senders) + 1); k < len(h.ports) {
		if p := h.ports[k]; !p.recvReady() {
			h.receives(p)
		}
	} else if k -= len(h.ports); k < len(h.senders) {
		if s := h.senders[k]; !s.ready() {
			h.blocks(func(t fiber.Ticket) { require.NoError(h.t, s.ParkSend(t, 1, 0)) }, s.Source())
		}
	}
}

// turn is one turn of an island; one that was woken is busy again.
func (g *randomRun) turn(h *member) (awake bool) {
	if h.gone {
		return false
	}
	before, fibers := g.stuck(), h.s.Inspect().Live()
	awake = h.stepped.turn()
	g.judge(before)
	switch v := h.s.Steps().IdleVerdictWithReport(); {
	case h.hold != nil || v.Kind == scheduler.Busy:
	case h.Deadlock() != nil, v.Kind == scheduler.Done, v.Kind == scheduler.Deadlock, g.over && h.s.Inspect().Live() < fibers:
		h.gone = true
		h.Leave(nil)
	case h.s.Inspect().Live() < fibers && g.rng.IntN(3) > 0:
		h.hold, h.asleep = h.s.Inbox().NewSender(), false
	}
	return awake
}

// judge looks whether those that were found to be in deadlock since are.
func (g *randomRun) judge(before map[*member]bool) {
	for _, h := range g.all {
		if d := h.Deadlock(); d != nil && !h.known {
			h.known = true
			for _, f := range d.Islands {
				at := slices.IndexFunc(g.all, func(o *member) bool { return o.Island == f.island })
				require.True(g.t, before[g.all[at]], "%s could go on: %v", f.Name, d)
			}
		}
	}
}

// stuck is all islands that only others of them could help: the largest such set.
func (g *randomRun) stuck() map[*member]bool {
	set := map[*member]bool{}
	for _, h := range g.all {
		if !h.gone && h.hold == nil && !h.s.HasWork() && !g.canGoOn(h) {
			set[h] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for h := range set {
			if slices.ContainsFunc(g.dependsOn(h), func(o *member) bool { return !o.gone && !set[o] }) {
				delete(set, h)
				changed = true
			}
		}
	}
	return set
}

// canGoOn tells whether there is something at a port that one of its fibers waits for.
func (g *randomRun) canGoOn(h *member) bool {
	for _, p := range h.ports {
		links := g.linksOf(p)
		value := slices.ContainsFunc(links, func(l *link[int]) bool { return !l.drained() })
		if p.receivers.Waiting() > 0 && (value || p.sealed && len(links) == 0) {
			return true
		}
	}
	return slices.ContainsFunc(h.senders, func(s *Sender[int]) bool {
		return s.waiting.Waiting() > 0 && (s.link.hasRoom() || s.link.closed())
	})
}

// linksOf are those of the Senders to a port that are not done, or still have something in them.
func (g *randomRun) linksOf(p *Port[int]) (links []*link[int]) {
	for _, o := range g.all {
		for _, s := range o.senders {
			if s.port == p && !(s.link.done.Load() && s.link.drained()) {
				links = append(links, s.link)
			}
		}
	}
	return links
}

func (g *randomRun) dependsOn(h *member) (all []*member) {
	open := h.servesOthers()
	for _, p := range h.ports {
		open = open || p.receivers.Waiting() > 0 && !p.sealed
	}
	for _, o := range g.all {
		sends := slices.ContainsFunc(o.senders, func(s *Sender[int]) bool {
			return s.port.island == h.Island && s.port.receivers.Waiting() > 0 && !s.closed
		})
		takes := slices.ContainsFunc(h.senders, func(s *Sender[int]) bool { return s.waiting.Waiting() > 0 && s.port.island == o.Island })
		if o != h && (open || sends || takes) {
			all = append(all, o)
		}
	}
	return all
}

// play goes on for some time; then all go to sleep but those that never do, in some games.
func (g *randomRun) play() {
	for range 200 {
		if h := g.any(); g.rng.IntN(2) == 0 && h.hold != nil && !h.gone {
			g.act(h)
			h.asleep = false
		} else {
			g.turn(h)
		}
	}
	g.over = true
	for _, h := range g.all {
		if h.hold != nil && g.rng.IntN(10) > 0 {
			g.waits(h)
			h.hold.Close()
			h.hold, h.asleep = nil, false
		}
	}
	for turns, awake := 0, true; awake; turns++ {
		require.Less(g.t, turns, 5000, "they never come to rest")
		awake = false
		for _, k := range g.rng.Perm(len(g.all)) {
			awake = g.turn(g.all[k]) || awake
		}
	}
	for h := range g.stuck() {
		require.False(g.t, h.portAwaited() || !h.servesOthers(), "%s is in deadlock, and does not know:\n%v", h.Name(), h.s.Inspect().Report())
	}
}

// Every island with a DeadlockError is in a deadlock, and when all sleep every island in one has its
// DeadlockError.
func TestRandomIslandsFindExactlyTheirDeadlocks(t *testing.T) {
	games, found := uint64(300), uint64(0)
	if *probeLong {
		games *= 100
	}
	for seed := range games {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g := newRandomRun(t, seed)
			g.play()
			if slices.ContainsFunc(g.all, func(h *member) bool { return h.known }) {
				found++
			}
		})
	}
	if found < games/10 || found == games {
		t.Errorf("there was a deadlock in %d games of %d", found, games)
	}
}
