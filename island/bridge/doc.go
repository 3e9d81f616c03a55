// Package bridge connects the ports of two island registries, in two processes or in one,
// over a transport that may lose, repeat, delay, reorder and corrupt frames.
//
//	Bridge          one side: it exports ports of its registry, and imports ports of the
//	                other side under their names; it also carries commands
//	Transport       what carries the frames; the program provides it
//	Codec           how the values of a port become bytes
//	memwire         a transport within the process with faults, for tests and demonstrations
//
// A bridge belongs to one island, whose owner does all its work; only Receive is for any
// goroutine. Values travel in numbered streams (stream.go): each is kept until it is
// acknowledged and is delivered once and in order, while both islands live.
//
// What it owns: the streams, their retransmission timers, and the requests that wait for an
// answer from the other side. What it never does: open a connection, start a goroutine, trust a
// frame before it is checked, or take part in deadlock detection (an island that waits for
// the other side is not in a deadlock).
//
// Who uses it: no program of this repository yet; the tests and examples do.
package bridge
