package script

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/internal/transcript"
)

// command is a row of the table.
type command struct {
	name, usage, does string
	run               func(w *world, words []string) error
}

func commands() []command {
	return []command{
		{"new", "new [fuel N] [max-actors N] [max-queue N] [max-outputs N] [ROLE] [SETTING…]", "begin again; the role is the root's", (*world).cmdNew},
		{"spawn", "spawn NAME [ROLE] [SETTING…]", "make an actor below the root", (*world).cmdDeed},
		{"send", "send NAME MESSAGE", "send from outside", (*world).cmdDeed},
		{"kill", "kill NAME [CAUSE]", "end an actor, its children first", (*world).cmdDeed},
		{"fail", "fail NAME [CAUSE]", "end it as a failure", (*world).cmdDeed},
		{"watch", "watch NAME", "put out a word when it ends", (*world).cmdDeed},
		{"unwatch", "unwatch NAME", "take that back", (*world).cmdDeed},
		{"turn", "turn", "carry out the commands that wait", (*world).cmdTurn},
		{"run", "run", "go on and read outputs until nothing can happen", (*world).cmdRun},
		{"block", "block OP [NAME]", "a middleware that blocks these commands", (*world).cmdBlock},
		{"pass", "pass", "take all those away", (*world).cmdPass},
		{"stats", "stats", "how many messages were sent, and what became of them", (*world).cmdStats},
		{"alive", "alive", "who is", (*world).cmdAlive},
		{"replay", "replay", "run the journal again; this ends it", (*world).cmdReplay},
	}
}

// Commands lists the commands, a line each: how each is written, and what it does.
func Commands() string {
	var b strings.Builder
	for _, c := range commands() {
		b.WriteString(c.usage + "\n      " + c.does + "\n")
	}
	return b.String()
}

// Obey carries out one command line and says what came of it.
func (w *world) Obey(l transcript.Line) {
	w.line = l.Number
	if w.count++; w.count > maxCommands {
		if w.count == maxCommands+1 {
			w.mistake("a script has at most %d commands; split the story", maxCommands)
		}
		return
	}
	if w.all > maxInAll {
		w.mistake("the actors of a script carry out at most %d commands; split the story", maxInAll)
		return
	}
	words, err := transcript.Split(l.Text)
	if err != nil {
		w.mistake("%v", err)
		return
	}
	var names []string
	for _, c := range commands() {
		if c.name == words[0] {
			w.carryOut(c, words)
			return
		}
		names = append(names, c.name)
	}
	w.mistake("no command %q%s", words[0], didYouMean(words[0], names))
}

func (w *world) carryOut(c command, words []string) {
	defer func() {
		if v := recover(); v != nil {
			w.fault = fmt.Sprintf("%s:%d: internal error: %v", w.file, w.line, v)
			w.say("%s", w.fault)
		}
	}()
	w.done = 0
	if err := c.run(w, words); err != nil {
		w.say("%s: error: %s", c.name, w.named(err.Error()))
	}
	w.flush()
	if n := w.sys.Stats(); n.Sent != n.Delivered+n.Dead+n.Rejected+uint64(w.sys.Pending()) {
		w.fault = fmt.Sprintf("%s:%d: messages were lost: %+v, %d pending", w.file, w.line, n, w.sys.Pending())
	}
}

// mistake reports a wrong script: where, what, and how to mend it.
func (w *world) mistake(format string, args ...any) {
	w.say("%s:%d: %s", w.file, w.line, fmt.Sprintf(format, args...))
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
	w.say("new: root is %v", w.sys.Input())
	return nil
}

// cmdDeed is a deed of the outside.
func (w *world) cmdDeed(words []string) error {
	if err := w.do(w.sys.Outside(), words); err != nil {
		return err
	}
	if words[0] == "spawn" {
		w.say("spawn: %s is %v", words[1], w.names[words[1]])
	}
	return nil
}

func (w *world) cmdTurn([]string) error {
	w.sys.Turn()
	w.say("turn: %v", w.sys.Phase())
	return nil
}

func (w *world) cmdRun([]string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w.stop = cancel
	for out, err := range w.sys.All(ctx) {
		if err != nil {
			w.tellEnd(err)
		} else {
			w.tell("out: %s", out)
		}
	}
	w.stop = nil
	if w.sys.Ended() && w.sys.Reason() == nil {
		w.say("run: ended")
	}
	return nil
}

// tellEnd says how a reading of outputs ended.
func (w *world) tellEnd(err error) {
	switch {
	case errors.Is(err, actor.ErrIdle) && err.Error() == actor.ErrIdle.Error():
		w.say("run: idle")
	case errors.Is(err, context.Canceled):
		w.say("run: still busy after %d commands", maxCarried)
	default:
		w.say("run: %s", w.named(err.Error()))
	}
}
