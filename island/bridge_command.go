package island

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

// What streams are for; that to a port has its name behind it.
const (
	commandsStream = "commands"
	answersStream  = "answers"
	portStream     = "port "
)

// RemoteError is a refusal that has come over a bridge: the words of the other side, and
// which of this package's errors it was, or nil.
type RemoteError struct {
	Text string
	Err  error
}

// Error is what the other side has said.
func (e *RemoteError) Error() string { return e.Text }

// Unwrap is the error of this package that it was.
func (e *RemoteError) Unwrap() error { return e.Err }

// remoteErrors are those that keep what they are on the wire, by their place; add at the end.
var remoteErrors = [...]error{nil, ErrUnknown, ErrDown, ErrFull, ErrProgram, ErrStale, ErrRequest, ErrFrame}

// Request sends a command to an island of the other side, as Island.Request does to one of
// this: it is carried out once, if the other side takes commands (BridgeConfig.Commands),
// and answered in any case: by a *RemoteError, or by the error of the bridge if the other
// side is gone. Whether it was carried out is not known then. As long as it is not answered,
// the other side is asked whether it lives. Errors: ErrFrame.
func (b *Bridge) Request(tok fiber.Token, cmd Command) error {
	frame, err := cmd.AppendTo(nil)
	if err == nil && 8+len(frame) > maxBody {
		err = fmt.Errorf("%w: the %v command would be longer than %d bytes", ErrFrame, cmd.Kind, MaxFrame)
	}
	if err != nil {
		return err
	}
	b.asked++
	r := b.isle.newRequest(tok)
	b.isle.pending++
	if b.requests == nil {
		b.requests = map[uint64]*request{}
	}
	b.requests[b.asked] = r
	b.queue(&b.commands, commandsStream, append(binary.BigEndian.AppendUint64(nil, b.asked), frame...))
	return nil
}

// letters is a stream of the bridge's own, and what is not on its way yet.
type letters struct {
	out     *outbound
	waiting [][]byte
}

func (b *Bridge) queue(l *letters, what string, body []byte) {
	l.waiting = append(l.waiting, body)
	if l.out == nil {
		feed := func(o *outbound) {
			l.feed(o)
			o.await(l == &b.commands && len(b.requests) > 0)
		}
		l.out = b.open(what, feed, func(cause error) { b.lettersFail(l, cause) })
	}
	b.bell.ring()
}

func (l *letters) feed(o *outbound) {
	for o.hasRoom() && len(l.waiting) > 0 {
		o.push(l.waiting[0])
		l.waiting[0] = nil
		l.waiting = l.waiting[1:]
	}
}

// lettersFail answers whatever is still waited for, here or, if answers are lost, there.
func (b *Bridge) lettersFail(l *letters, cause error) {
	lost := len(l.out.kept)+len(l.waiting) > 0
	l.out, l.waiting = nil, nil
	if l == &b.answers {
		if lost {
			b.endCommands(cause)
		}
		return
	}
	requests := b.requests
	b.requests = nil
	for _, n := range slices.Sorted(maps.Keys(requests)) {
		requests[n].reply(0, cause)
	}
}

// endCommands tells the other side that it is not to wait for answers any more: who has
// asked, and when, is not known here.
func (b *Bridge) endCommands(cause error) {
	for _, n := range sortedKeys(b.ins) {
		if in := b.ins[n]; in.to == (courthouse{b}) {
			in.refuse(cause)
		}
	}
}

// courthouse carries the commands of the other side to the islands of this.
type courthouse struct{ b *Bridge }

func (c courthouse) deliver(body []byte) (bool, error) {
	if len(body) < 8 {
		return false, ErrFrame
	}
	reply := &remoteReply{c.b, binary.BigEndian.Uint64(body)}
	cmd, err := ParseCommand(body[8:])
	if err == nil {
		err = c.b.isle.reg.forward(letter{cmd: cmd, reply: reply})
	}
	if err != nil {
		reply.reply(0, err)
	}
	return true, nil
}

func (courthouse) end(error) {}

func (courthouse) ends() bool { return false } // what was asked is answered

func (courthouse) over() error { return nil }

func (r *Registry) forward(l letter) error {
	to, err := r.At(l.cmd.To)
	if err != nil {
		return err
	}
	return to.send(l)
}

// remoteReply takes an answer, from whatever island has it, to the bridge's owner.
type remoteReply struct {
	b      *Bridge
	number uint64
}

func (r *remoteReply) reply(id fiber.ID, err error) {
	body := binary.BigEndian.AppendUint64(nil, r.number)
	body = binary.BigEndian.AppendUint64(body, uint64(id))
	kind := slices.IndexFunc(remoteErrors[:], func(e error) bool { return e != nil && errors.Is(err, e) })
	body = append(body, byte(max(kind, 0)))
	if err != nil {
		body = append(body, words(err)...)
	}
	r.b.mu.Lock()
	r.b.replies = append(r.b.replies, body)
	r.b.mu.Unlock()
	r.b.bell.ring()
}

// sendReplies puts the answers that have come from other islands on their way.
func (b *Bridge) sendReplies() {
	b.mu.Lock()
	replies := b.replies
	b.replies = nil
	b.mu.Unlock()
	for _, body := range replies {
		b.queue(&b.answers, answersStream, body)
	}
}

// postroom gives the answers of the other side to who has asked.
type postroom struct{ b *Bridge }

func (p postroom) deliver(body []byte) (bool, error) {
	if len(body) < 17 || int(body[16]) >= len(remoteErrors) {
		return false, ErrFrame
	}
	number := binary.BigEndian.Uint64(body)
	r := p.b.requests[number]
	if r == nil {
		return true, nil // it was given up; the next answer is for somebody
	}
	delete(p.b.requests, number)
	if text := string(body[17:]); text != "" || body[16] != 0 {
		r.reply(0, &RemoteError{Text: text, Err: remoteErrors[body[16]]})
		return true, nil
	}
	id, err := fiber.CheckID(binary.BigEndian.Uint64(body[8:]))
	if err != nil {
		id = 0 // a shutdown has none
	}
	r.reply(id, nil)
	return true, nil
}

func (postroom) end(error) {}

func (postroom) ends() bool { return false }

func (postroom) over() error { return nil }
