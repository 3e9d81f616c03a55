package bridge

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
)

// Request sends a command to an island of the other side for a fiber of this island, as
// island.Island.Request does within a registry. tok completes in any case: with the answer,
// which is ErrRemote for a refusal, or with the error of the bridge if the other side is
// gone. After such an error it is not known whether the command was carried out; otherwise it
// was carried out once. While a request is open, the other side is polled. The owner calls
// it. Errors: island.ErrFrame if no frame can carry the command; then nothing was sent.
func (b *Bridge) Request(tok fiber.Token, cmd island.Command) error {
	frame, err := cmd.AppendTo(nil)
	if err == nil && 8+len(frame) > maxBody {
		err = fmt.Errorf("%w: the command has %d bytes, a bridge carries %d", island.ErrFrame, len(frame), maxBody-8)
	}
	if err != nil {
		return err
	}
	// Nothing can fail any more. The request is in the table before its command is in the stream,
	// because a stream that fails ends the requests of the table.
	b.requested++
	if b.requests == nil {
		b.requests = map[uint64]func(fiber.ID, error){}
	}
	b.requests[b.requested] = b.inner.Request(tok)
	b.queueControl(&b.commands, commandsStream, append(binary.BigEndian.AppendUint64(nil, b.requested), frame...))
	return nil
}

// ctlStream is a stream of the bridge itself, for commands or replies, with what is waiting
// for room in it. The stream is opened when there is something to send. Commands and replies use
// streams like values do, so they have the same guarantee, once and in order, by the same code.
type ctlStream struct {
	out     *outbound
	waiting [][]byte
}

// queueControl adds a command or reply to its stream, and opens the stream if there is none: at the
// first use, and after the stream has failed.
func (b *Bridge) queueControl(s *ctlStream, purpose string, body []byte) {
	s.waiting = append(s.waiting, body)
	if s.out == nil {
		feed := func(o *outbound) {
			s.feed(o)
			o.expectReply(s == &b.commands && len(b.requests) > 0)
		}
		s.out = b.open(purpose, feed, func(cause error) { b.controlFailed(s, cause) })
	}
	b.raise()
}

// feed moves what is waiting into the stream, as far as its window allows. It is called again after
// each acknowledgement.
func (s *ctlStream) feed(o *outbound) {
	for o.hasRoom() && len(s.waiting) > 0 {
		o.push(s.waiting[0])
		s.waiting[0] = nil
		s.waiting = s.waiting[1:]
	}
}

// controlFailed ends the requests that can get no answer any more: those of this side if the
// stream of commands has failed, those of the other side if replies were lost.
func (b *Bridge) controlFailed(s *ctlStream, cause error) {
	// Not acknowledged counts as lost, although it may have arrived: a request that fails without
	// need is allowed (Request), one that is never answered is not.
	lost := len(s.out.kept)+len(s.waiting) > 0
	s.out, s.waiting = nil, nil
	if s == &b.replies {
		if lost {
			b.refuseCommands(cause)
		}
		return
	}
	requests := b.requests
	b.requests = nil
	for _, n := range sortedKeys(requests) {
		requests[n](0, cause)
	}
}

// refuseCommands refuses the peer's streams of commands, so that it fails its open requests.
// Which of them the lost replies belong to is not known here.
//
// A command of it may already have been carried out. Its request then fails all the same, as
// Request says: after an error of the bridge it is not known whether the command was carried out.
func (b *Bridge) refuseCommands(cause error) {
	for _, n := range sortedKeys(b.ins) {
		if in := b.ins[n]; in.to == (commandReceiver{b}) {
			in.refuse(cause)
		}
	}
}

// commandReceiver forwards the commands of the other side to the islands of this registry. A command
// that cannot be forwarded is answered at once; it does not end the stream. It always has room: a
// full mailbox is an answer, not back-pressure, as within a registry.
type commandReceiver struct{ b *Bridge }

func (c commandReceiver) deliver(body []byte) (bool, error) {
	if len(body) < 8 {
		return false, island.ErrFrame
	}
	number := binary.BigEndian.Uint64(body)
	reply := func(id fiber.ID, err error) { c.b.addReply(number, id, err) }
	if err := c.b.inner.Forward(body[8:], reply); err != nil {
		reply(0, err)
	}
	return true, nil
}

// The stream has nothing to end here, and is never closed from here: the islands behind it come and
// go. It does not end with a silent peer either, because accepted commands are answered: the peer
// may come back.
func (commandReceiver) end(error)          {}
func (commandReceiver) endsWithPeer() bool { return false }
func (commandReceiver) closed() error      { return nil }

// addReply takes an answer to the bridge's owner. The owner of any island calls it, so it only stores
// the encoded answer and raises the signal. An error is sent as its index in remoteErrors and its
// text.
func (b *Bridge) addReply(number uint64, id fiber.ID, err error) {
	body := binary.BigEndian.AppendUint64(nil, number)
	body = binary.BigEndian.AppendUint64(body, uint64(id))
	// The first match decides: an error that is two of them keeps only one identity. 0 is an error
	// of which the other side gets the text only, such as one of the program's own.
	kind := slices.IndexFunc(remoteErrors[:], func(e error) bool { return e != nil && errors.Is(err, e) })
	body = append(body, byte(max(kind, 0)))
	if err != nil {
		body = append(body, reason(err)...)
	}
	b.mu.Lock()
	b.newReplies = append(b.newReplies, body)
	b.mu.Unlock()
	b.raise()
}

// queueReplies puts the answers of other islands into their stream. Only the owner may touch that,
// which is why addReply cannot.
func (b *Bridge) queueReplies() {
	b.mu.Lock()
	replies := b.newReplies
	b.newReplies = nil
	b.mu.Unlock()
	for _, body := range replies {
		b.queueControl(&b.replies, repliesStream, body)
	}
}

// replyReceiver completes requests of this side with the answers of the other side. A body is the
// number of the request, an ID, the index of an error and its text. Every part is checked: the other
// side may answer a request that does not exist, or with an ID that is none.
type replyReceiver struct{ b *Bridge }

func (p replyReceiver) deliver(body []byte) (bool, error) {
	if len(body) < 17 || int(body[16]) >= len(remoteErrors) {
		return false, island.ErrFrame
	}
	number := binary.BigEndian.Uint64(body)
	reply := p.b.requests[number]
	if reply == nil {
		return true, nil // that request has failed already; the stream goes on
	}
	delete(p.b.requests, number)
	if text := string(body[17:]); text != "" || body[16] != 0 {
		reply(0, &remoteError{text: text, err: remoteErrors[body[16]]})
		return true, nil
	}
	id, err := fiber.CheckID(binary.BigEndian.Uint64(body[8:]))
	if err != nil {
		id = 0 // the answer to a shutdown has no ID
	}
	reply(id, nil)
	return true, nil
}

// A peer that was silent continues this stream when it comes back, with the answers to requests that
// were made since. A refusal would make it refuse those.
func (replyReceiver) end(error)          {}
func (replyReceiver) endsWithPeer() bool { return false }
func (replyReceiver) closed() error      { return nil }
