package channel

import "github.com/selvage-dev/selvage/spec/graph"

// Status is how far a fiber is with a wait.
type Status uint8

const (
	// Dead: there is no such fiber now.
	Dead Status = iota
	// Ready: it waits for nothing and may call what it likes.
	Ready
	// Waits: it has armed a wait or is blocked on it.
	Waits
	// Woken: its wait has ended, and it has not claimed how.
	Woken
)

// Code is how a wait ended.
type Code uint8

const (
	// Pending: it has not.
	Pending Code = iota
	// OK: the case with the tag was done.
	OK
	// Closed: the channel of that case was closed.
	Closed
	// Quit: not by a channel, but by a deadline or a cancel.
	Quit
)

// Case is one thing to wait for: 2c is to send to channel c, 2c+1 to receive from it.
type Case uint8

// NoCase is the second case of a wait for one thing.
const NoCase Case = 255

// SendTo is the case that sends to the channel.
func SendTo(channel int) Case { return Case(2 * channel) }

// RecvFrom is the case that receives from the channel.
func RecvFrom(channel int) Case { return Case(2*channel + 1) }

// Sends tells the direction.
func (k Case) Sends() bool { return k%2 == 0 }

// Channel is the channel of the case.
func (k Case) Channel() int { return int(k / 2) }

// String is "s0" for a send to channel 0, "r1" for a receive from channel 1.
func (k Case) String() string {
	if k == NoCase {
		return "-"
	}
	return string([]byte{"sr"[k%2], '0' + byte(k.Channel())})
}

// Value tells apart the values that are on their way. A new one is the smallest that is
// nowhere.
type Value uint8

// NoValue is no value.
const NoValue Value = 255

// Fiber is what the model knows of a fiber.
type Fiber struct {
	Status Status
	// Number is that of its ticket, until it has claimed how the wait ended.
	Number uint8
	// Cases are what it waits for, in the order of their tags.
	Cases [2]Case
	// Code and Tag are how its wait ended, and by which case.
	Code Code
	Tag  uint8
}

const noNumber = 255

// noFiber is a fiber that does not exist; a living fiber that waits for nothing differs by its
// status only.
var noFiber = Fiber{Number: noNumber, Cases: [2]Case{NoCase, NoCase}}

// Registration is one case of a wait in the queue of its channel, with the value that it
// offers if it sends.
type Registration struct {
	Fiber, Number, Tag uint8
	Value              Value
}

// Queue holds registrations in order of arrival.
type Queue = graph.List[Registration]

// Channel is one channel.
type Channel struct {
	Closed bool
	// Buffer is the buffered values, the oldest first.
	Buffer graph.List[Value]
	// Receivers and Senders wait.
	Receivers, Senders Queue
	// Given is the value assigned to each fiber and not collected, or NoValue.
	Given [MaxFibers]Value
}

// keep buffers a value. There is room for one too many, so that a check sees a wrong machine;
// what is beyond that is dropped.
func (ch *Channel) keep(v Value) {
	if ch.Buffer.Len() <= MaxCapacity {
		ch.Buffer.Push(v)
	}
}

// State is one state of the whole machine: two states are the same iff they are ==.
type State struct {
	Fibers   [MaxFibers]Fiber
	Channels [MaxChannels]Channel
}

// Places counts in how many places the value is.
func (s *State) Places(v Value) int {
	n := 0
	for i := range s.Channels {
		ch := &s.Channels[i]
		for _, b := range ch.Buffer.All() {
			n += graph.Count(b == v)
		}
		for _, r := range ch.Senders.All() {
			n += graph.Count(r.Value == v)
		}
		for _, g := range ch.Given {
			n += graph.Count(g == v)
		}
	}
	return n
}

// fresh is the smallest value that is nowhere.
func (s *State) fresh() Value {
	v := Value(0)
	for s.Places(v) > 0 {
		v++
	}
	return v
}

// Possible tells whether the case would not block; NoCase always would.
func (c Config) Possible(s *State, k Case) bool {
	if k == NoCase {
		return false
	}
	ch := &s.Channels[k.Channel()]
	if k.Sends() {
		return ch.Closed || ch.Buffer.Len() < c.Capacity[k.Channel()] || ch.Receivers.Len() > 0
	}
	return ch.Closed || ch.Buffer.Len() > 0 || ch.Senders.Len() > 0
}
