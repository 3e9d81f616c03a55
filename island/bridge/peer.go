package bridge

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/island"
)

// peerState tells whether the peer counts as gone. While it does, new streams are addressed
// to any incarnation, as they are before the first peer is known.
type peerState uint8

const (
	peerPresent peerState = iota
	peerSilent            // it timed out, and may be heard of again
	peerEnded             // it has said goodbye: later frames of it are late ones
)

// peerName stands for the peer's name in errors: an address is all that a frame says about it.
const peerName = "the other side"

// identifyPeer checks the addresses of a packet and learns the peer's from it. A later
// incarnation of the peer knows none of the streams, so they fail. A packet of an earlier
// one is refused (I5): it was delayed by the transport. So is one of another island with the
// peer's incarnation: a registry gives each incarnation to one island, so this island is of another
// registry and not the peer's successor. A frame with the bridge's own address is refused as well,
// because a transport that echoes would otherwise make it its own peer.
func (b *Bridge) identifyPeer(p *packet) bool {
	own := b.island.Address()
	if p.to != (island.Address{}) && p.to != own || p.from == own {
		return false
	}
	switch {
	case b.peer == island.Address{}:
		b.peer = p.from
	case p.from == b.peer:
		if b.peerState == peerEnded {
			return false
		}
	case p.from.Incarnation <= b.peer.Incarnation:
		return false
	default:
		// While the peer counts as gone its outbound streams have failed already; those that were
		// opened since are addressed to any incarnation, and so to this one.
		down := &island.DownError{Island: b.peer, Name: peerName, Cause: fmt.Errorf("it is %v now", p.from)}
		if b.peerState == peerPresent {
			b.failOuts(down)
		}
		b.failIns(down)
		b.peer = p.from
	}
	b.peerState = peerPresent
	return true
}

// handleBye ends all streams: the peer's island has ended, and will not come back as the same
// incarnation. Frames of it that were delayed are refused from now on (identifyPeer). The peer's
// address is kept, so that they can be recognized.
func (b *Bridge) handleBye(p *packet) {
	down := &island.DownError{Island: p.from, Name: peerName}
	if len(p.body) > 0 {
		down.Cause = errors.New(string(p.body))
	}
	b.peerState = peerEnded
	b.failOuts(down)
	b.failIns(down)
}

// failOuts ends all streams to the peer, in the order of their numbers. The table is replaced first,
// because a failure handler may open new streams, to the next incarnation.
func (b *Bridge) failOuts(cause error) {
	outs := b.outs
	b.outs = map[uint32]*outbound{}
	for _, n := range sortedKeys(outs) {
		outs[n].failed(cause)
	}
}

// failIns ends all streams of an incarnation of the peer that has ended. They need not be refused:
// no acknowledgement could reach it. Their values that are not delivered are lost with it.
func (b *Bridge) failIns(cause error) {
	ins := b.ins
	b.ins = map[uint32]*inbound{}
	for _, n := range sortedKeys(ins) {
		ins[n].close(cause)
	}
}

// giveUpPeer handles a peer that is silent. It may only be unreachable and go on with its
// streams later, so those to ports, which end here, stay known and are refused. Its streams of
// commands and replies go on: commands that were accepted have to be answered once.
func (b *Bridge) giveUpPeer(cause error) {
	if b.peer != (island.Address{}) {
		b.peerState = peerSilent
	}
	b.failOuts(cause)
	for _, n := range sortedKeys(b.ins) {
		if in := b.ins[n]; in.to != nil && in.to.endsWithPeer() {
			in.refuse(cause)
		}
	}
}
