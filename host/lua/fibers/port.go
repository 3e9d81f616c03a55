package fibers

import (
	"fmt"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/wait"
)

// port receives values from other Lua states.
type port = island.Port[transferable]

// ports has the functions of ports and of senders.
type ports struct {
	*env
	islands *islands
	ports   *typeOf[*port]
	ends    *typeOf[*sender]
	senders map[string]*glua.LUserData // the open senders, by the name of the port
}

func newPorts(i *islands) *ports {
	p := &ports{env: i.env, islands: i}
	p.ports = newType(i.env, typeSpec[*port]{library: "fiber", kind: "port", self: "p", show: (*port).Name, methods: p.portMethods})
	p.ends = newType(i.env, typeSpec[*sender]{library: "fiber", kind: "sender", self: "s", show: senderName, methods: p.senderMethods})
	return p
}

// maxPort is how many values may be in flight from each island. Memory for them is allocated
// when the port is opened.
const maxPort = 1 << 16

// create is fiber.port([capacity]).
func (p *ports) create(L *glua.LState) int {
	n := integer(L, 1, "capacity", L.OptNumber(1, 1), 1, maxPort)
	made, err := p.open(L, p.objectName(L), int(n))
	p.check(L, err)
	return push(L, p.ports.wrap(made))
}

func (p *ports) open(L *glua.LState, name string, capacity int) (*port, error) {
	isle := p.islands.local(L)
	return island.Open[transferable](isle, fmt.Sprintf("%s on %s", name, isle.Name()), capacity)
}

func (p *ports) portMethods(t *typeOf[*port]) functions {
	return functions{
		// p:recv([timeout]) waits for a value, or for the end of the port.
		"recv": func(L *glua.LState) int {
			c, from := t.op(L)
			deadline := c.deadline(2)
			receive := island.RecvFrom(from)
			if _, err := c.fiber.SelectUntil(wait.NewSelect(receive), deadline); c.timedOut(err) {
				return 2
			}
			return p.pushReceived(L, receive)
		},
		// p:try_recv() does not wait.
		"try_recv": func(L *glua.LState) int {
			var received glua.LValue = glua.LNil
			v, status := t.receiver(L).TryRecv()
			if status == wait.Received {
				received = p.decode(v)[0]
			}
			return pushStatus(L, received, status)
		},
		// p:close() ends the port: values sent before are still received, later sends fail.
		"close": func(L *glua.LState) int { t.check(L, t.receiver(L).Close()); return 0 },
		// p:seal() accepts no new senders: the port ends when all present ones have closed.
		"seal": func(L *glua.LState) int { t.receiver(L).Seal(); return 0 },
		"iter": func(L *glua.LState) int { return p.iterate(L, t.receiver(L)) },
	}
}

// pushReceived pushes the value that was received and true, or nil and false.
func (p *ports) pushReceived(L *glua.LState, r *island.Receive[transferable]) int {
	v, ok := r.Value()
	if !ok {
		return pushReceived(L, glua.LNil, false)
	}
	return pushReceived(L, p.decode(v)[0], true)
}

// iterate is p:iter(). The loop ends when the port has ended.
func (p *ports) iterate(L *glua.LState, from *port) int {
	return push(L, L.NewClosure(func(L *glua.LState) int {
		c, receive := p.begin(L), island.RecvFrom(from)
		_, err := c.fiber.SelectUntil(wait.NewSelect(receive), fiber.Never)
		c.check(err)
		if v, ok := receive.Value(); ok {
			return push(L, p.decode(v)[0])
		}
		return push(L, glua.LNil)
	}, L.Get(1)))
}
