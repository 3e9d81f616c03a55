package scheduler

import (
	"math"
	"math/rand/v2"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/opqueue"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// init makes a core whose slots are stride bytes apart; grow allocates the memory of more slots. It
// starts nothing and reads no clock. The core must not be copied afterwards: cur, the prepared
// errors and the observer hold its address.
//
// The stamp is taken from the address, modulo 32767, and is never 0, which stands for any stamp. It
// decides only whether an object is refused, so runs stay reproducible (decision 0005). The
// generator is seeded with the number too: schedulers that share a seed choose differently. The
// observer comes last, because it marks the scheduler as watched: from then on every operation
// reports.
func (c *Core) init(cfg Config, stride uintptr, grow func(slots int) chunk) {
	cfg = cfg.withDefaults()
	c.cfg, c.clock, c.number = cfg, cfg.Clock, cfg.Number
	c.stamp = uint16(uintptr(unsafe.Pointer(c))/unsafe.Sizeof(*c)%32767 + 1) // no two cores share an address
	c.slots = newTable(cfg.MaxFibers, stride, grow)
	c.tramps.limit = cfg.MaxTrampolines
	c.slots.lives, c.tramps.lives = cfg.Generations, cfg.Generations
	c.io = opqueue.New(cfg.Number, cfg.MaxTokens, cfg.Dropped)
	c.reg.io = c.io
	c.rng = rand.New(rand.NewPCG(cfg.Seed, uint64(cfg.Number)))
	c.inbox = newInbox(cfg.MaxCommands)
	c.seq, c.lastSeq = fiber.NewSeq(cfg.Number, cfg.FirstSequence-1), fiber.NewSeq(cfg.Number, fiber.MaxSeq)
	c.spinClock, _ = cfg.Clock.(SpinClock)
	c.inputReady = c.Steps().hasInput
	c.timers.isLive = func(e wheel.Entry) bool { return c.isTimerLive(e) }
	c.stale = true
	c.ring = newRing()
	c.run().countPaused(0)
	c.none = &c.nobody
	c.cur = c.none
	c.audit.init(c)
	c.restUntil, c.fastUntil = math.MaxUint64, math.MaxUint64
	c.recording = newRecording(c, cfg.Record)
	c.observer = newObserver(c, cfg.Observer)
}
