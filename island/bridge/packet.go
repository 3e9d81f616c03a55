package bridge

import (
	"encoding/binary"
	"fmt"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/wire"
)

// MaxFrame is the length limit of a frame in bytes.
const MaxFrame = wire.MaxFrame

// packet is a frame between two bridges: a value of a stream (wire.Data), the
// acknowledgement of values (wire.Ack), or the message that the island ends (wire.Bye).
type packet struct {
	form     wire.Form
	from, to island.Address // of the bridges' islands; to is zero until the peer is known
	stream   uint32
	seq      uint64 // Data: number of the value; Ack: how many were delivered
	last     bool   // Data: the value ends the stream; Ack: the stream is refused from here on
	body     []byte // Data: the value; Ack: why it is refused; Bye: why the island ends
}

const (
	addressLen = 2 + 4
	// maxBody is the length limit of a packet's body, and maxReason that of an error in it. What is
	// subtracted are the other fields in the order of appendTo.
	maxBody   = MaxFrame - (wire.HeaderLen + 2*addressLen + 4 + 8 + 1 + 4 + wire.SumLen)
	maxReason = 1 << 15
)

// reason is the text of an error. It is never empty, because an empty one on the wire means
// that there is no error.
func reason(err error) []byte {
	text := err.Error()
	if text == "" {
		text = "no reason given"
	}
	return []byte(text[:min(len(text), maxReason)])
}

// appendTo appends the packet as one frame. The order of the fields is the wire format, version 1;
// parsePacket reads the same. All forms have all fields, so that one length check serves them.
func (p *packet) appendTo(b []byte) []byte {
	from := len(b)
	b = wire.Begin(b, p.form)
	b = appendAddress(appendAddress(b, p.from), p.to)
	b = binary.BigEndian.AppendUint32(b, p.stream)
	b = binary.BigEndian.AppendUint64(b, p.seq)
	last := byte(0)
	if p.last {
		last = 1
	}
	return wire.End(wire.AppendText(append(b, last), p.body), from)
}

// parsePacket reads a frame from an untrusted source. The packet's body is a part of b. A frame that
// it accepts is well-formed, no more: the caller checks the addresses and the numbers. A sender
// without an address is malformed, because zero stands for "any incarnation" in to.
func parsePacket(b []byte) (p packet, err error) {
	form, r, err := wire.Open(b)
	if err != nil {
		return p, fmt.Errorf("%w: %w", island.ErrFrame, err)
	}
	r.Require(form >= wire.Data && form <= wire.Bye, "a form of packet")
	p = packet{form: form, from: readAddress(&r), to: readAddress(&r), stream: r.Uint32(), seq: r.Uint64()}
	last := r.Byte()
	r.Require(last <= 1 && p.from != island.Address{}, "a packet")
	p.last, p.body = last == 1, r.Text()
	if err := r.Close(); err != nil {
		return p, fmt.Errorf("%w: %w", island.ErrFrame, err)
	}
	return p, nil
}

// appendAddress and readAddress have the same order of fields as an address in a Command.
func appendAddress(b []byte, a island.Address) []byte {
	b = binary.BigEndian.AppendUint16(b, a.Island)
	return binary.BigEndian.AppendUint32(b, a.Incarnation)
}

func readAddress(r *wire.Reader) island.Address {
	return island.Address{Island: r.Uint16(), Incarnation: r.Uint32()}
}
