//go:build ignore

// The repaired etcd14080: revoke takes the transaction's lock only when it has released the lessor's.
package kernel

import (
	"sync"
	"testing"
)

type lessor struct {
	mu     sync.Mutex
	leases map[int]bool
	tx     *transaction
}

type transaction struct {
	sync.Mutex
	writes int
}

func (l *lessor) grant(id int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leases[id] = true
	l.tx.Lock()
	l.tx.writes++
	l.tx.Unlock()
}

func (l *lessor) revoke(id int) {
	l.mu.Lock()
	delete(l.leases, id)
	l.mu.Unlock()
	l.tx.Lock()
	l.tx.writes++
	l.tx.Unlock()
}

// TestGrantAndRevoke grants a lease and revokes another one.
func TestGrantAndRevoke(t *testing.T) {
	l := &lessor{leases: map[int]bool{1: true}, tx: &transaction{}}
	var wg sync.WaitGroup
	wg.Go(func() { l.grant(2) })
	wg.Go(func() { l.revoke(1) })
	wg.Wait()
}
