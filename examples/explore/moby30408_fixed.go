//go:build ignore

// The repaired moby30408: an error ends the wait too.
package kernel

import (
	"errors"
	"sync"
	"testing"
)

type plugin struct {
	changed *sync.Cond
	active  bool
	err     error
}

func (p *plugin) activate(err error) {
	p.changed.L.Lock()
	defer p.changed.L.Unlock()
	p.active, p.err = err == nil, err
	p.changed.Broadcast()
}

func (p *plugin) wait() error {
	p.changed.L.Lock()
	defer p.changed.L.Unlock()
	for !p.active && p.err == nil {
		p.changed.Wait()
	}
	return p.err
}

// TestAPluginThatFails waits for a plugin that does not start.
func TestAPluginThatFails(t *testing.T) {
	p := &plugin{changed: sync.NewCond(&sync.Mutex{})}
	go p.activate(errors.New("no such socket"))
	if p.wait() == nil {
		t.Error("no error")
	}
}
