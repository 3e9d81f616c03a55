package fibers

import (
	"fmt"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/wait"
)

// port receives what other Lua states send.
type port struct {
	*island.Port[cargo]
	host *Host
}

// sender sends to the port of another Lua state, or of this.
type sender struct {
	*island.Sender[cargo]
	host *Host
	to   string // the port's name
	gone error  // it could not be opened: there is no Sender
}

func (p *port) home() *Host   { return p.host }
func (s *sender) home() *Host { return s.host }

func (h *Host) openPort() {
	h.types.port = h.newType("fiber.port", map[string]glua.LGFunction{
		"recv": h.portRecv, "try_recv": h.portTryRecv, "close": h.portClose, "seal": h.portSeal, "iter": h.portIter,
	})
	h.nameType(h.types.port, "port", func(L *glua.LState) string { return h.checkPort(L).Name() })
	h.types.sender = h.newType("fiber.sender", map[string]glua.LGFunction{
		"send": h.senderSend, "try_send": h.senderTrySend, "close": h.senderClose,
	})
	h.nameType(h.types.sender, "sender", func(L *glua.LState) string { return h.checkSender(L).to })
}

func (h *Host) checkPort(L *glua.LState) *port { return receiver[*port](h, L, "port", "p") }

func (h *Host) checkSender(L *glua.LState) *sender { return receiver[*sender](h, L, "sender", "s") }

// maxPort is how many values may be on the way from each island: the room for them is there
// from the start.
const maxPort = 1 << 16

// newPort is fiber.port([capacity]).
func (h *Host) newPort(L *glua.LState) int {
	n := integer(L, 1, "capacity", L.OptNumber(1, 1), 1, maxPort)
	p, err := h.port(L, h.objectName(L), int(n))
	h.check(L, err)
	L.Push(object(p, h.types.port))
	return 1
}

func (h *Host) port(L *glua.LState, name string, capacity int) (*port, error) {
	isle := h.isle(L)
	p, err := island.Open[cargo](isle, fmt.Sprintf("%s on %s", name, isle.Name()), capacity)
	return &port{p, h}, err
}

// senderTo is this state's one end to a port, opened when it first comes here. If the port is
// gone, so is the end: whoever uses it is told.
func (h *Host) senderTo(name string) glua.LValue {
	if known := h.geography.senders[name]; known != nil {
		return known
	}
	s := &sender{host: h, to: name}
	s.Sender, s.gone = island.Dial[cargo](h.geography.isle, name)
	end := object(s, h.types.sender)
	if s.gone == nil {
		if h.geography.senders == nil {
			h.geography.senders = map[string]*glua.LUserData{}
		}
		h.geography.senders[name] = end
	}
	return end
}

// await waits for one case, and takes the fiber up again.
func (h *Host) await(c *carrier, deadline fiber.Time, one wait.Case) error {
	_, err := c.fiber.SelectUntil(wait.NewSelect(one), deadline)
	return err
}

func (h *Host) portRecv(L *glua.LState) int {
	p, c := h.checkPort(L), h.self(L)
	deadline := h.deadline(L, 2)
	r := island.RecvFrom(p.Port)
	if h.timedOut(L, c.back(h.await(c, deadline, r))) {
		return 2
	}
	return h.pushCargo(L, r)
}

// pushCargo gives the value that was received, and whether one was.
func (h *Host) pushCargo(L *glua.LState, r *island.Receive[cargo]) int {
	v, ok := r.Value()
	if !ok {
		return pushReceived(L, glua.LNil, false)
	}
	return pushReceived(L, h.unload(v)[0], true)
}

func (h *Host) portTryRecv(L *glua.LState) int {
	v, status := h.checkPort(L).TryRecv()
	switch status {
	case wait.Empty:
		L.Push(glua.LNil)
		L.Push(glua.LString("empty"))
		return 2
	case wait.Closed:
		return pushReceived(L, glua.LNil, false)
	}
	return pushReceived(L, h.unload(v)[0], true)
}

func (h *Host) portClose(L *glua.LState) int {
	h.check(L, h.checkPort(L).Close())
	return 0
}

func (h *Host) portSeal(L *glua.LState) int {
	h.checkPort(L).Seal()
	return 0
}

// portIter is for loops: it gives values until the port has ended.
func (h *Host) portIter(L *glua.LState) int {
	p := h.checkPort(L)
	L.Push(L.NewFunction(func(L *glua.LState) int {
		c, r := h.self(L), island.RecvFrom(p.Port)
		h.check(L, c.back(h.await(c, fiber.Never, r)))
		if v, ok := r.Value(); ok {
			L.Push(h.unload(v)[0])
		} else {
			L.Push(glua.LNil)
		}
		return 1
	}))
	return 1
}

// sendCase is what a program sends through a sender.
func (h *Host) sendCase(L *glua.LState, s *sender, v glua.LValue) *island.Send[cargo] {
	h.check(L, s.gone)
	load, err := h.stow([]glua.LValue{v})
	h.check(L, err)
	return island.SendTo(s.Sender, load)
}

func (h *Host) senderSend(L *glua.LState) int {
	s, c := h.checkSender(L), h.self(L)
	send := h.sendCase(L, s, L.Get(2))
	err := c.back(h.await(c, h.deadline(L, 3), send))
	if h.timedOut(L, err) {
		return 2
	}
	h.check(L, send.Err())
	L.Push(glua.LTrue)
	return 1
}

func (h *Host) senderTrySend(L *glua.LState) int {
	s := h.checkSender(L)
	send := h.sendCase(L, s, L.Get(2))
	ready := send.Ready()
	if ready {
		send.Commit()
		h.check(L, send.Err())
	}
	L.Push(glua.LBool(ready))
	return 1
}

func (h *Host) senderClose(L *glua.LState) int {
	s := h.checkSender(L)
	h.check(L, s.gone)
	delete(h.geography.senders, s.to)
	h.check(L, s.Sender.Close())
	return 0
}

// portCase and senderCase are cases of fiber.select.
func (h *Host) portCase(L *glua.LState, n int, p *port, op glua.LValue) wait.Case {
	h.checkHost(L, "port", p.host)
	if op != glua.LString("recv") {
		L.ArgError(1, fmt.Sprintf(`case %d: want "recv", got %v`, n, op))
	}
	return island.RecvFrom(p.Port)
}

func (h *Host) senderCase(L *glua.LState, n int, s *sender, entry *glua.LTable) wait.Case {
	h.checkHost(L, "sender", s.host)
	if op := entry.RawGetInt(2); op != glua.LString("send") {
		L.ArgError(1, fmt.Sprintf(`case %d: want "send", got %v`, n, op))
	}
	return h.sendCase(L, s, entry.RawGetInt(3))
}
