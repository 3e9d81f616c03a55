//go:build ignore

// After etcd#14080: to grant a lease takes the lessor's lock and then the lock of the transaction; to revoke
// one begins with the transaction.
// Finding: deadlock
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
	l.tx.Lock()
	l.tx.writes++
	l.mu.Lock()
	delete(l.leases, id)
	l.mu.Unlock()
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
