package stackful

import (
	"fmt"

	"github.com/selvage-dev/selvage/wait"
)

// choice is a select of an actor with the values its sends would send.
type choice struct {
	cases  []wait.Case
	values []int
}

// choose is a step of an actor: a select, with or without a default.
func (a *actor) choose(o op) (string, error) {
	c, err := a.offer(o.cases)
	if err != nil {
		return "", err
	}
	sel := wait.NewSelect(c.cases...)
	i, ok := -1, true
	if o.verb == "select" {
		i, err = a.f.SelectUntil(sel, a.by(o))
	} else {
		i, ok, err = a.f.TrySelect(sel)
	}
	for n, v := range c.values {
		if v == 0 {
			continue
		}
		chosen := err == nil && ok && n == i
		reason := err
		if chosen {
			reason = c.cases[n].(*wait.Send[int]).Err()
		}
		a.book(v, chosen, reason)
	}
	if err != nil || !ok {
		return fmt.Sprint(i, ok), err
	}
	return fmt.Sprint(i, a.taken(c.cases[i], o.cases[i])), nil
}

func (a *actor) offer(ops []op) (c choice, err error) {
	for _, o := range ops {
		ch, v := a.chans[o.obj%len(a.chans)], 0
		switch o.verb {
		case "send":
			v = a.newValue()
			c.cases = append(c.cases, wait.SendTo(ch, v))
		case "recv":
			c.cases = append(c.cases, wait.RecvFrom(ch))
		case "join":
			j, err := wait.JoinOn(a.tasks[o.obj%len(a.tasks)].Cell(), a.f.ID())
			if err != nil {
				return c, err
			}
			c.cases = append(c.cases, j)
		case "timer":
			c.cases = append(c.cases, a.timer)
		}
		c.values = append(c.values, v)
	}
	return c, nil
}

// taken books the outcome of the case that was chosen.
func (a *actor) taken(c wait.Case, o op) string {
	switch c := c.(type) {
	case *wait.Receive[int]:
		v, ok := c.Value()
		if ok {
			a.got(o.obj%len(a.chans), v)
		}
		return fmt.Sprint("receive ", v, ok)
	case *wait.Send[int]:
		return fmt.Sprint("send ", c.Err())
	case *wait.Timer:
		return " by the timer"
	case wait.Join:
		if _, done, _ := c.Try(); !done {
			a.complain("fiber %d: a join was chosen before its end", a.n)
		}
		return "join"
	}
	return "nothing"
}
