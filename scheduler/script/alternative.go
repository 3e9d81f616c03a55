package script

import (
	"strings"

	"github.com/selvage-dev/selvage/internal/transcript"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/wait"
)

// alternative is one case of a select as scripts write it: <-CHAN, CHAN<-VALUE, or the
// name of what to join.
type alternative struct {
	text string
	wait.Case
}

// alternatives reads cases until the word that ends them. There may be none.
func (a *args) alternatives() []alternative {
	var alts []alternative
	for a.more() && !reserved(a.words[0]) {
		alts = append(alts, a.alternative())
	}
	return alts
}

func (a *args) alternative() alternative {
	s := a.word("a case")
	name, v, sends := strings.Cut(s, "<-")
	switch {
	case !sends:
		return alternative{s, a.joinCase(s)}
	case name == "":
		if ch, ok := a.w.names[v].(*channel); ok {
			return alternative{s, wait.RecvFrom(ch.Chan)}
		}
	default:
		if ch, ok := a.w.names[name].(*channel); ok {
			return alternative{s, wait.SendTo(ch.Chan, v)}
		}
	}
	a.fail("%q is no case; want <-CHAN or CHAN<-VALUE with a channel made by chan", s)
	return alternative{}
}

// joinCase is the join on a fiber or cell, for the fiber that runs.
func (a *args) joinCase(name string) wait.Join {
	target := a.joinable(name)
	if target == nil {
		return wait.Join{}
	}
	j, err := wait.JoinOn(target, a.w.s.Current())
	if err != nil {
		a.fail("%s", a.w.named(err.Error()))
	}
	return j
}

// joinable is the cell behind a name.
func (a *args) joinable(name string) *ioqueue.Cell {
	switch v := a.w.names[name].(type) {
	case *cell:
		return &v.Cell
	case *party:
		if v.cell == nil {
			a.fail("%s cannot be joined; spawn it with: spawn %s joinable", name, name)
		}
		return v.cell
	}
	a.fail("%q is nothing to wait for; want a fiber spawned joinable, or a cell", name)
	return nil
}

func cases(alts []alternative) []wait.Case {
	var cs []wait.Case
	for i := range alts {
		cs = append(cs, alts[i].Case)
	}
	return cs
}

// outcome says what the case that was chosen did.
func (w *world) outcome(alt *alternative) string {
	switch c := alt.Case.(type) {
	case *wait.Receive[string]:
		if v, ok := c.Value(); ok {
			return alt.text + " gave " + transcript.Show(v)
		}
		return alt.text + " is closed and drained"
	case *wait.Send[string]:
		if err := c.Err(); err != nil {
			return alt.text + " failed: " + w.named(err.Error())
		}
		return alt.text + " was taken"
	case wait.Join:
		v, _, err := c.Try()
		return alt.text + " ended with " + answer(v, err)
	}
	return alt.text
}
