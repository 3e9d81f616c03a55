package actorscript

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/internal/script"
)

// action carries out a command. The words begin with its name; an error refuses it.
type action func(w *world, words []string) error

type command = script.Command[action]

func row(usage, help string, do action) command { return command{Usage: usage, Help: help, Do: do} }

// commands is the table of the language, in the order of docs/actors.md.
func commands() script.Table[action] {
	return script.Table[action]{Commands: []command{
		row("new [fuel N] [max-actors N] [max-queue N] [max-outputs N] [ROLE] [SETTING…]", "begin again; the role is the root's", (*world).cmdNew),
		row("spawn NAME [ROLE] [SETTING…]", "make an actor below the root", (*world).cmdRequest),
		row("send NAME MESSAGE", "send from outside", (*world).cmdRequest),
		row("kill NAME [CAUSE]", "end an actor, its children first", (*world).cmdRequest),
		row("fail NAME [CAUSE]", "end it as a failure", (*world).cmdRequest),
		row("watch NAME", "put out a word when it ends", (*world).cmdRequest),
		row("unwatch NAME", "undo that", (*world).cmdRequest),
		row("turn", "carry out the commands that wait", (*world).cmdTurn),
		row("run", "go on and read outputs until nothing can happen", (*world).cmdRun),
		row("block OP [NAME]", "a middleware that blocks these commands", (*world).cmdBlock),
		row("pass", "remove all such middleware", (*world).cmdPass),
		row("stats", "how many messages were sent, and what became of them", (*world).cmdStats),
		row("alive", "the actors that are alive", (*world).cmdAlive),
		row("replay", "run the journal again; what follows can only look at the replay, or begin again", (*world).cmdReplay),
	}}
}

// Obey carries out one command line and says what came of it.
func (w *world) Obey(l script.Line) {
	if !w.Begin(l, maxCommands) {
		return
	}
	if w.all > maxInAll {
		w.Mistake("the actors of a script carry out at most %d commands; split the story", maxInAll)
		return
	}
	if c, words := w.table.Parse(&w.Console, l.Text); c != nil {
		w.carryOut(c, words)
	}
}

// carryOut runs a command and checks the promise that no message is lost.
func (w *world) carryOut(c *script.Command[action], words []string) {
	defer func() {
		if v := recover(); v != nil {
			w.Blame("internal error: %v", v)
		}
	}()
	w.done = 0
	if err := w.do(c, words); err != nil {
		w.Say("%s: error: %s", c.Name(), w.inScript(err.Error()))
	}
	w.flush()
	if n := w.sys.Stats(); n.Sent != n.Delivered+n.Dead+n.Rejected+uint64(w.sys.Pending()) {
		w.Blame("messages were lost: %+v, %d pending", n, w.sys.Pending())
	}
}

var errReplay = errors.New("this system is a replay already; begin again with new")

// do carries out a command. A replayed system can only be looked at.
func (w *world) do(c *script.Command[action], words []string) error {
	switch c.Name() {
	case "new", "stats", "alive":
	default:
		if w.over {
			return errReplay
		}
	}
	return c.Do(w, words)
}

func (w *world) cmdNew(words []string) error {
	var o actor.Options[string]
	limits := map[string]*int{"fuel": &o.Fuel, "max-actors": &o.MaxActors, "max-queue": &o.MaxQueue, "max-outputs": &o.MaxOutputs}
	rest := words[1:]
	for len(rest) > 1 && limits[rest[0]] != nil {
		n, err := strconv.Atoi(rest[1])
		if err != nil || n < 1 {
			return fmt.Errorf("%s wants a number from 1", rest[0])
		}
		*limits[rest[0]] = n
		rest = rest[2:]
	}
	if _, err := w.spec("root", rest); err != nil {
		return err
	}
	if err := w.begin(rest, o); err != nil {
		return err
	}
	w.Say("new: root is %v", w.sys.Input())
	return nil
}

// cmdRequest asks the system for something from outside.
func (w *world) cmdRequest(words []string) error {
	if err := w.request(w.sys.Outside(), words); err != nil {
		return err
	}
	if words[0] == "spawn" {
		w.Say("spawn: %s is %v", words[1], w.named[words[1]])
	}
	return nil
}

func (w *world) cmdTurn([]string) error {
	if w.sys.Turn() {
		w.Say("turn: queued")
	} else {
		w.Say("turn: idle")
	}
	return nil
}

func (w *world) cmdRun([]string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w.stop = cancel
	ended := true
	for out, err := range w.sys.All(ctx) {
		if err != nil {
			ended = false
			w.tellEnd(err)
		} else {
			w.tell("out: %s", out)
		}
	}
	w.stop = nil
	if ended {
		w.Say("run: ended")
	}
	return nil
}

// tellEnd says how a reading of outputs ended.
func (w *world) tellEnd(err error) {
	switch {
	case errors.Is(err, actor.ErrIdle) && err.Error() == actor.ErrIdle.Error():
		w.Say("run: idle")
	case errors.Is(err, context.Canceled):
		w.Say("run: still busy after %d commands", maxCarried)
	default:
		w.Say("run: %s", w.inScript(err.Error()))
	}
}
