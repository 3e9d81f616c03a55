package island

import (
	"math/bits"

	"github.com/selvage-dev/selvage/scheduler"
)

// EndState is one end of a port at an island: the port itself, or a Sender. It is a copy, as of one moment
// between two operations of the island's scheduler.
type EndState struct {
	Port     string  // its name
	To       *Island // of a Sender: the port's island; nil for the port itself
	Capacity int     // how many values each Sender may have sent that are not received
	Waiting  int     // fibers that wait here: to receive or, at a Sender, to send
	// Senders are those that a port knows. One that was dialed a moment ago may be missing.
	Senders []LinkState
}

// LinkState is a Sender as its port sees it.
type LinkState struct {
	From   *Island
	Values int // sent and not received
}

// Scheduler is the island's. It belongs to the island's owner; other goroutines may use only its Inbox.
func (i *Island) Scheduler() *scheduler.Core { return i.core }

// Ends are the ports and senders of the island that are open, in the order in which they were opened. The
// owner calls it. It changes nothing. Cost: a copy of each, and a load for each sender of a port.
func (i *Island) Ends() []EndState {
	all := make([]EndState, 0, len(i.ends))
	for _, e := range i.ends {
		all = append(all, e.state())
	}
	return all
}

func (p *Port[T]) state() EndState {
	s := EndState{Port: p.name, Capacity: 1 << bits.Len(uint(p.capacity-1)), Waiting: p.receivers.Waiting(), Senders: make([]LinkState, 0, len(p.links))}
	for _, l := range p.links {
		s.Senders = append(s.Senders, LinkState{l.from, l.len()})
	}
	return s
}

func (s *Sender[T]) state() EndState {
	return EndState{Port: s.port.name, To: s.port.island, Capacity: len(s.link.slots), Waiting: s.waiting.Waiting()}
}

// len is the port's: how many values were put in and not taken out. One that is being put in counts.
func (l *link[T]) len() int { return int(l.tail.Load()&^closedBit - l.head) }
