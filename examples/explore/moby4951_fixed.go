//go:build ignore

// The repaired moby4951: both paths lock the set first.
package kernel

import (
	"sync"
	"testing"
)

type device struct {
	lock    sync.Mutex
	deleted bool
}

type deviceSet struct {
	lock    sync.Mutex
	devices map[string]*device
}

func (s *deviceSet) remove(name string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	d := s.devices[name]
	d.lock.Lock()
	defer d.lock.Unlock()
	d.deleted = true
	delete(s.devices, name)
}

func (s *deviceSet) count(d *device) int {
	s.lock.Lock()
	defer s.lock.Unlock()
	d.lock.Lock()
	defer d.lock.Unlock()
	return len(s.devices)
}

// TestRemoveAndCount removes a device while another goroutine counts.
func TestRemoveAndCount(t *testing.T) {
	d := &device{}
	s := &deviceSet{devices: map[string]*device{"a": d}}
	var wg sync.WaitGroup
	wg.Go(func() { s.remove("a") })
	wg.Go(func() { s.count(d) })
	wg.Wait()
}
