package island

import "encoding/binary"

// Transport carries frames from one Bridge to another. It may lose, repeat, delay and
// reorder them, and hand over bytes that no bridge has sent: the bridges make the best of
// it. What it has received it gives to Bridge.Receive, from any goroutine.
type Transport interface {
	// Send hands a frame of at most MaxFrame bytes on. The owner of the bridge's island calls
	// it and does nothing else meanwhile, so it must not block for long; and the frame is not
	// its to keep. An error is as good as a loss: the frame will be sent again.
	Send(frame []byte) error
}

// packet is a frame between bridges: a value of a stream (formData), how far the other side
// has come with it (formAck), or that the island is gone (formBye).
type packet struct {
	form     form
	from, to Address // of the islands the bridges are on; to is zero until it is known
	stream   uint32
	seq      uint64 // Data: this value's; Ack: how many have been delivered
	last     bool   // Data: the stream ends here; Ack: it is refused from here on
	body     []byte // Data: the value; Ack: why it is refused; Bye: why
}

// maxBody is how long a packet's body may be, and maxWords how much of it are words.
const (
	maxBody  = MaxFrame - (headerLen + 2*addressLen + 4 + 8 + 1 + 4 + sumLen)
	maxWords = 1 << 15
)

// words are what an error says; never nothing, which would say that there is no error.
func words(err error) []byte {
	text := err.Error()
	if text == "" {
		text = "refused without a word"
	}
	return []byte(text[:min(len(text), maxWords)])
}

func (p *packet) appendTo(b []byte) []byte {
	from := len(b)
	b = beginFrame(b, p.form)
	b = p.to.appendTo(p.from.appendTo(b))
	b = binary.BigEndian.AppendUint32(b, p.stream)
	b = binary.BigEndian.AppendUint64(b, p.seq)
	last := byte(0)
	if p.last {
		last = 1
	}
	return endFrame(appendText(append(b, last), p.body), from)
}

// parsePacket reads what may have come from anybody; body is a part of b.
func parsePacket(b []byte) (p packet, err error) {
	f, fields, err := frameForm(b)
	if err != nil {
		return p, err
	}
	r := reader{rest: fields}
	r.require(f >= formData && f <= formBye, "a form of packet")
	p = packet{form: f, from: r.address(), to: r.address(), stream: r.uint32(), seq: r.uint64()}
	last := r.byte()
	r.require(last <= 1 && p.from != Address{}, "a packet")
	p.last, p.body = last == 1, r.text()
	return p, r.close()
}
