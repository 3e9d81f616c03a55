package schedscript

import (
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/script"
	"github.com/selvage-dev/selvage/wait"
)

// alternative is one case of a select as scripts write it: <-CHAN, CHAN<-VALUE, or the name of
// what to join.
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
		if ch, ok := a.w.named[v].(*channel); ok {
			return alternative{s, wait.RecvFrom(ch)}
		}
	default:
		if ch, ok := a.w.named[name].(*channel); ok {
			return alternative{s, wait.SendTo(ch, v)}
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
		a.fail("%s", a.w.names.In(err.Error()))
	}
	return j
}

func cases(alts []alternative) []wait.Case {
	var cs []wait.Case
	for i := range alts {
		cs = append(cs, alts[i].Case)
	}
	return cs
}

func (a *args) orDefault() bool { return a.is("default") }

func (w *world) cmdSelect(alts []alternative, orDefault bool, r fiber.Reason) {
	p := w.waiter()
	if p == nil {
		return
	}
	sel := wait.NewSelect(cases(alts)...)
	if i, up, ok := sel.Poll(w.s.Inspect().Random()); ok {
		w.answer("%s", w.outcome(&alts[i]))
		w.wake(up)
		return
	}
	if orDefault {
		w.answer("default")
		return
	}
	w.suspend(p, r, sel.Park, w.collectsCase(sel, alts), sel.Sources(nil)...)
}

// collectsCase is the end of a wait on several cases.
func (w *world) collectsCase(sel *wait.Select, alts []alternative) ending {
	return func(t fiber.Ticket, r fiber.Result) string {
		if i, ok := sel.Collect(t, r); ok {
			return r.Code.String() + ": " + w.outcome(&alts[i])
		}
		return w.plain(t.ID, r)
	}
}

// outcome says what the chosen case did.
func (w *world) outcome(alt *alternative) string {
	switch c := alt.Case.(type) {
	case *wait.Receive[string]:
		if v, ok := c.Value(); ok {
			return alt.text + " gave " + script.Show(v)
		}
		return alt.text + " is closed and drained"
	case *wait.Send[string]:
		if err := c.Err(); err != nil {
			return alt.text + " failed: " + w.names.In(err.Error())
		}
		return alt.text + " was taken"
	case wait.Join:
		v, _, err := c.Try()
		return alt.text + " ended with " + answer(v, err)
	}
	return alt.text
}
