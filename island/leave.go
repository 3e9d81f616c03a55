package island

import (
	"runtime"
	"slices"
)

// Leave takes the island out of the registry. Commands that wait here are refused, its ports
// and senders are closed, and the fibers that wait at the other ends are woken, each with a
// *DownError. Its own fibers stay as they are. The owner calls it after its loop has ended,
// with what ended it; no other island has to be running for it.
//
// Everything is left in memory that the other islands read when they are served. The order closes
// first what accepts something, and then handles what was accepted: after the last step nothing
// that another island has sent is without an answer or an end.
func (i *Island) Leave(cause error) {
	if i.cause == nil {
		i.cause = cause
	}
	// From here on the handlers below wake no fiber: the loop has ended, and the scheduler is
	// about to be closed.
	i.stopping, i.left = true, true
	// A probe that has read the statement gets no answer from this island, so it cannot confirm a
	// deadlock that this end is about to dissolve.
	i.publish(nil)
	// Senders raise their signals again, so that handleSignals learns of everything.
	i.stopAllPolling()
	i.refuseMail()
	for _, b := range i.bridges {
		b.Leave(i.cause)
	}
	for len(i.ends) > 0 {
		e := i.ends[len(i.ends)-1]
		i.ends = i.ends[:len(i.ends)-1]
		e.down()
	}
	// Closes the links of senders that the ports did not know yet. One that is dialed after this
	// finds its port closed (Dial).
	i.handleSignals()
	// An island that finds this one in no list expects nothing from it any more.
	i.reg.remove(i)
	// Last: from here on probes go on without this island, also those of statements that name it.
	i.prober.Close()
}

// refuseMail closes the mailbox and answers every command in it. The wait for a producer is short:
// it has taken its position and has only the message to write.
func (i *Island) refuseMail() {
	for left := i.mailbox.close(); left > 0; {
		msg, ok := i.mailbox.take()
		if !ok {
			runtime.Gosched() // its producer is still writing it
			continue
		}
		left--
		if msg.reply != nil {
			msg.reply.reply(0, i.downError())
		}
	}
}

// dropEnd forgets a port or sender that was closed, so that Leave does not close it again with
// another cause. It searches the list: ends are closed rarely, and most islands have few.
func (i *Island) dropEnd(e portEnd) {
	if at := slices.Index(i.ends, e); at >= 0 {
		i.ends = slices.Delete(i.ends, at, at+1)
	}
}
