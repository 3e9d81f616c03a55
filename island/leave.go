package island

import (
	"runtime"
	"slices"
)

// Leave takes the island out of the registry. Commands that wait here are refused, its ports
// and senders are closed, and the fibers that wait at the other ends are woken, each with a
// *DownError. Its own fibers stay as they are. The owner calls it after its loop has ended,
// with what ended it; no other island has to be running for it.
func (i *Island) Leave(cause error) {
	if i.cause == nil {
		i.cause = cause
	}
	i.stopping, i.left = true, true
	i.prober.Publish(nil)
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
	i.handleSignals() // closes links of senders that the ports did not know yet
	i.prober.Close()
	// Last: an island that finds this one in no list expects nothing from it any more.
	i.reg.remove(i)
}

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

// dropEnd forgets a port or sender that was closed.
func (i *Island) dropEnd(e portEnd) {
	if at := slices.Index(i.ends, e); at >= 0 {
		i.ends = slices.Delete(i.ends, at, at+1)
	}
}
