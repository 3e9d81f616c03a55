//go:build ignore

// After hashicorp/raft#696: a transfer of leadership waits until the other node is up to date. When the
// leader steps down meanwhile, the replication is aborted, and the transfer is never over.
// Finding: leak
package kernel

import (
	"testing"
	"time"
)

type leader struct {
	trigger  chan chan bool
	stepDown chan bool
}

func (l *leader) replicate() {
	select {
	case upToDate := <-l.trigger:
		select {
		case <-time.After(time.Millisecond):
			close(upToDate)
		case <-l.stepDown:
		}
	case <-l.stepDown:
	}
}

func (l *leader) transfer() {
	upToDate := make(chan bool)
	select {
	case l.trigger <- upToDate:
		<-upToDate
	case <-l.stepDown:
	}
}

// TestStepDownDuringATransfer steps down when the other node may be up to date.
func TestStepDownDuringATransfer(t *testing.T) {
	l := &leader{make(chan chan bool), make(chan bool)}
	go l.replicate()
	go l.transfer()
	time.Sleep(time.Millisecond)
	close(l.stepDown)
}
