package actorscript

import (
	"bytes"
	"errors"
	"maps"
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
	w.blocks = append(w.blocks, w.sys.Use(func(c *actor.Command[string]) bool {
		if c.Op == op && (to == actor.Outside || c.To == to) {
			w.tell("blocked")
			return false
		}
		return true
	}))
	return nil
}

func (w *world) cmdPass([]string) error {
	for _, remove := range w.blocks {
		remove()
	}
	w.blocks = nil
	return nil
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

// cmdReplay runs the journal of all commands since new in another system, with the middleware
// of this moment.
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
