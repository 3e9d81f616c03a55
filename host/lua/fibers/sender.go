package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/wait"
)

// sender sends to a port of another Lua state, or of this one.
type sender struct {
	*island.Sender[transferable]
	to   string // the name of the port
	gone error  // why the port could not be reached; then there is no Sender
}

func senderName(s *sender) string { return s.to }

// senderTo returns the sender of this state to a port. It is opened when the port first arrives
// here. If the port no longer exists, operations on the sender fail.
func (p *ports) senderTo(name string) glua.LValue {
	if known := p.senders[name]; known != nil {
		return known
	}
	s := &sender{to: name}
	s.Sender, s.gone = island.Dial[transferable](p.islands.isle, name)
	end := p.ends.wrap(s)
	if s.gone == nil {
		if p.senders == nil {
			p.senders = map[string]*glua.LUserData{}
		}
		p.senders[name] = end
	}
	return end
}

// sendCase is the sending of a value, as a case of a select.
func (p *ports) sendCase(L *glua.LState, s *sender, v glua.LValue) *island.Send[transferable] {
	p.check(L, s.gone)
	copied, err := encode([]glua.LValue{v})
	p.check(L, err)
	p.watch.release(messages{})
	p.state.Charge(2 * int64(copied.size)) // the receiver copies them too
	return island.SendTo(s.Sender, copied)
}

func (p *ports) senderMethods(t *typeOf[*sender]) functions {
	return functions{
		// s:send(v [, timeout]) waits for room in the port.
		"send": func(L *glua.LState) int {
			c, s := t.op(L)
			send := p.sendCase(L, s, L.Get(2))
			if _, err := c.fiber.SelectUntil(wait.NewSelect(send), c.deadline(3)); c.timedOut(err) {
				return 2
			}
			t.check(L, send.Err())
			return push(L, glua.LTrue)
		},
		// s:try_send(v) does not wait.
		"try_send": func(L *glua.LState) int {
			send := p.sendCase(L, t.receiver(L), L.Get(2))
			ready := send.Case().Ready()
			if ready {
				send.Case().Commit()
				t.check(L, send.Err())
			}
			return push(L, glua.LBool(ready))
		},
		// s:close() closes the sender of this island. A port that arrives again opens a new one.
		"close": func(L *glua.LState) int {
			s := t.receiver(L)
			t.check(L, s.gone)
			delete(p.senders, s.to)
			t.check(L, s.Close())
			return 0
		},
	}
}
