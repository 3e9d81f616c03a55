package actorscript

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/actor"
)

func (w *world) cmdBlock(words []string) error {
	ops := map[string]actor.Op{"spawn": actor.OpSpawn, "send": actor.OpSend, "kill": actor.OpKill, "fail": actor.OpFail}
	if len(words) < 2 || ops[words[1]] == 0 {
		return errors.New("block spawn, send, kill or fail?")
	}
	op, to := ops[words[1]], actor.Outside
	if len(words) > 2 {
		var err error
		if to, err = w.handle(words[2]); err != nil {
			return err
		}
	}
	w.blocks = append(w.blocks, block{op: op, to: to, from: w.seen, until: math.MaxInt})
	return nil
}

func (w *world) cmdPass([]string) error {
	for k := range w.blocks {
		w.blocks[k].until = min(w.blocks[k].until, w.seen)
	}
	return nil
}

// block is a middleware of the script. It is in use from one command of the system to another, so
// that it blocks the same commands in a replay.
type block struct {
	op          actor.Op
	to          actor.Handle // Outside: any
	from, until int          // in world.seen
}

// blocked tells whether the script blocks a command, before it is counted.
func (w *world) blocked(c *actor.Command[string]) bool {
	return slices.ContainsFunc(w.blocks, func(b block) bool {
		return c.Op == b.op && (b.to == actor.Outside || c.To == b.to) && b.from <= w.seen && w.seen < b.until
	})
}

func (w *world) cmdStats([]string) error {
	n := w.sys.Stats()
	w.Say("stats: %d sent = %d delivered + %d dead + %d rejected + %d pending", n.Sent, n.Delivered, n.Dead, n.Rejected, w.sys.Pending())
	return nil
}

func (w *world) cmdAlive([]string) error {
	var alive []string
	for _, name := range slices.Sorted(maps.Keys(w.named)) {
		if w.sys.Alive(w.named[name]) {
			alive = append(alive, name)
		}
	}
	w.Say("alive: %s", strings.Join(alive, " "))
	return nil
}

// cmdReplay runs the journal of all commands since new in another system, with the same blocks at
// the same commands.
func (w *world) cmdReplay([]string) error {
	if err := w.recorder.Close(); err != nil {
		return err
	}
	w.close()
	w.over = true
	if err := w.build(); err != nil {
		return err
	}
	lines := bytes.Count(w.journal.Bytes(), []byte{'\n'})
	known := w.named
	p, err := actor.NewPlayer(w.sys, w.journal, actor.JSON[string](), func(name string) (actor.Spec[string], error) {
		w.named[name] = known[name]
		return w.spec(name, w.plans[name])
	})
	if err != nil {
		return err
	}
	w.named = map[string]actor.Handle{"root": w.sys.Input()}
	err = p.Play()
	w.told, w.more = nil, 0
	if err == nil {
		w.Say("replay: %d lines, no difference", lines)
	}
	return err
}
