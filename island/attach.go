package island

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island/internal/relay"
)

// Attach is for package bridge: the island serves the bridge from now on, until it leaves. Its types
// are of an internal package, so that no program can call it with a bridge of its own. The owner
// calls it.
func (i *Island) Attach(b relay.Bridge) relay.Island {
	i.bridges = append(i.bridges, b)
	return (*bridgeHost)(i)
}

// bridgeHost is an Island as its bridges see it.
type bridgeHost Island

var _ relay.Island = (*bridgeHost)(nil)

// Now is the time of the scheduler.
func (h *bridgeHost) Now() fiber.Time { return h.core.Now() }

// Signal returns the function that raises a new signal.
func (h *bridgeHost) Signal(handle func()) (raise func()) {
	g := &signal{owner: (*Island)(h), handle: handle}
	return g.raise
}

// Request returns the function that completes tok.
func (h *bridgeHost) Request(tok fiber.Token) (reply func(fiber.ID, error)) {
	return (*Island)(h).newRequest(tok).reply
}

// Forward sends a command from the other side of a bridge to any island of this registry. Only the
// frame says which; the bridge decides before whether the other side may command at all.
func (h *bridgeHost) Forward(frame []byte, reply func(fiber.ID, error)) error {
	cmd, err := ParseCommand(frame)
	if err != nil {
		return err
	}
	to, err := h.reg.at(cmd.to)
	if err != nil {
		return err
	}
	return to.send(message{cmd: cmd, reply: replyFunc(reply)})
}

// replyFunc is a replier that has no state beside a function.
type replyFunc func(fiber.ID, error)

func (f replyFunc) reply(id fiber.ID, err error) { f(id, err) }
