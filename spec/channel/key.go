package channel

import "github.com/selvage-dev/selvage/spec/graph"

// AppendKey appends the text of a state, exactly as channel.pml built with -DLTS prints it.
//
// Its words, in order: for every fiber its status (drwe: dead, ready, waits, its wait has
// ended), ticket number, cases, code and tag; for every channel whether it is open or
// closed, its buffer, its receivers (fiber, ticket, tag), its senders (and value), and
// the value assigned to each fiber.
func (c Config) AppendKey(dst []byte, s *State) []byte {
	for i := range c.Fibers {
		f := &s.Fibers[i]
		dst = append(dst, "drwe"[f.Status], graph.Digit(f.Number), graph.Digit(uint8(f.Cases[0])),
			graph.Digit(uint8(f.Cases[1])), graph.Digit(uint8(f.Code)), graph.Digit(f.Tag), ' ')
	}
	for i := range c.Channels {
		dst = c.appendChannel(dst, &s.Channels[i])
	}
	return dst
}

func (c Config) appendChannel(dst []byte, ch *Channel) []byte {
	dst = append(dst, "oc"[graph.Count(ch.Closed)], ' ')
	for _, v := range ch.Buffer.All() {
		dst = append(dst, graph.Digit(uint8(v)), ',')
	}
	dst = append(dst, ' ')
	for _, r := range ch.Receivers.All() {
		dst = append(dst, graph.Digit(r.Fiber), graph.Digit(r.Number), graph.Digit(r.Tag), ',')
	}
	dst = append(dst, ' ')
	for _, r := range ch.Senders.All() {
		dst = append(dst, graph.Digit(r.Fiber), graph.Digit(r.Number), graph.Digit(r.Tag), graph.Digit(uint8(r.Value)), ',')
	}
	dst = append(dst, ' ')
	for f := range c.Fibers {
		dst = append(dst, graph.Digit(uint8(ch.Given[f])))
	}
	return append(dst, ' ')
}
