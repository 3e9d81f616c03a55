package island

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/selvage-dev/selvage/scheduler"
)

// Registry is where islands and ports find each other. Any goroutine may call its methods. The
// zero Registry is empty and ready.
//
// Its lock is held to look up and change the tables, and to record a deadlock; no other lock is
// taken under it. Values and commands do not pass through the registry: once a Sender is dialed,
// it shares memory with its port alone.
//
// Invariant under the lock: byName and byNumber have the same islands.
type Registry struct {
	// Epoch is the number that the incarnations of this registry start after. If bridges lead
	// out of a process that can be restarted, give each start a greater Epoch (the time in
	// seconds, a stored counter), so that the other side recognizes the restart. Set it before
	// the first island joins.
	Epoch uint32
	// SelfContained says that only fibers of its islands make further islands. Then, as after
	// Seal, islands that all wait for each other are in a deadlock. Set it before the first
	// island joins.
	SelfContained bool

	mu       sync.RWMutex
	byName   map[string]*Island
	byNumber map[uint16]*Island
	// ports are *Port[T] by name. A map of any, because the ports have different element types;
	// findPort checks the type of the one it was asked for.
	ports map[string]any
	// lastNumber is what Number returned last. It only grows: a number is not given out again, so
	// a ticket of an island that has left does not fit a later scheduler (I5).
	lastNumber uint16
	// incarnations counts the joins, also those of islands that have left.
	incarnations uint32
	// sealed is written under mu, so that no island joins after Seal has returned. It is atomic
	// because each island that goes to sleep reads it, without the lock.
	sealed atomic.Bool
	// left counts the islands that have left. It is written under mu.
	left atomic.Uint64
	look lookout
}

// Number returns a number that no island of the registry has, and that was not returned
// before, for the Config of a scheduler that is to join: 1, 2, 3 … It is 0 if there is none.
func (r *Registry) Number() uint16 {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.lastNumber < math.MaxUint16 {
		r.lastNumber++
		if r.byNumber[r.lastNumber] == nil {
			return r.lastNumber
		}
	}
	return 0
}

// Join makes the scheduler an island, until Leave. Its owner calls it, before or while the
// scheduler runs. Its number must differ from those of the other islands. Errors: ErrTaken,
// ErrSealed.
func (r *Registry) Join(core *scheduler.Core, cfg Config) (*Island, error) {
	given("Join", core != nil, "the Core of a scheduler")
	i := newIsland(r, core, cfg)
	if err := r.add(i); err != nil {
		return nil, err
	}
	// Only now, because a device cannot be removed. A command that arrives between the two steps
	// is not lost: its signal stays raised until the device is served for the first time.
	core.Ops().AddDevice((*device)(i))
	return i, nil
}

// add makes the island visible to other goroutines. Its fields, the address included, are written
// before the lock is released, so they need no synchronization afterward.
func (r *Registry) add(i *Island) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	number := i.core.Inspect().Number()
	switch {
	case r.sealed.Load() || r.incarnations == math.MaxUint32-r.Epoch:
		return fmt.Errorf("%w (joining as %q)", ErrSealed, i.cfg.Name)
	case r.byName[i.cfg.Name] != nil:
		return fmt.Errorf("%w: the name %q", ErrTaken, i.cfg.Name)
	case r.byNumber[number] != nil:
		return fmt.Errorf("%w: number %d, wanted for %q, is in use by %q", ErrTaken, number, i.cfg.Name, r.byNumber[number].cfg.Name)
	}
	if r.byName == nil {
		r.byName, r.byNumber, r.ports = map[string]*Island{}, map[uint16]*Island{}, map[string]any{}
	}
	r.incarnations++
	i.addr = Address{Island: number, Incarnation: r.Epoch + r.incarnations}
	r.byName[i.cfg.Name], r.byNumber[number] = i, i
	r.count(i, 1)
	return nil
}

// remove takes the island off the lists. In a sealed registry the others then depend on one
// island less, so one has to look again whether they are in a deadlock (lookout). It is notified after
// the removal: an owner that looks earlier would still count this island. In an open registry
// islands depend on each other by sealed ports only, whose senders are closed by Leave.
func (r *Registry) remove(i *Island) {
	r.mu.Lock()
	r.count(i, -1)
	delete(r.byName, i.cfg.Name)
	delete(r.byNumber, i.addr.Island)
	r.left.Add(1)
	look := r.toLook()
	r.mu.Unlock()
	if look != nil && r.isSealed() {
		look.core.Inbox().Notify()
	}
}

// Find returns the island of that name. Errors: ErrUnknown.
func (r *Registry) Find(name string) (*Island, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if i := r.byName[name]; i != nil {
		return i, nil
	}
	return nil, fmt.Errorf("%w: %q", ErrUnknown, name)
}

// at returns the island of that address, in that incarnation only. Errors: ErrUnknown.
func (r *Registry) at(a Address) (*Island, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if i := r.byNumber[a.Island]; i != nil && i.addr == a {
		return i, nil
	}
	return nil, fmt.Errorf("%w: %v", ErrUnknown, a)
}

// Islands returns the present islands in the order of their numbers. The order does not depend on
// the maps, so statements and reports that are made of it are reproducible. Cost: O(n log n).
func (r *Registry) Islands() []*Island {
	r.mu.RLock()
	defer r.mu.RUnlock()
	all := make([]*Island, 0, len(r.byNumber))
	for _, i := range r.byNumber {
		all = append(all, i)
	}
	slices.SortFunc(all, func(a, b *Island) int { return int(a.addr.Island) - int(b.addr.Island) })
	return all
}

// Seal says that no more islands will join. From then on islands whose fibers wait only for
// each other are in a deadlock, because no new island can wake them.
func (r *Registry) Seal() {
	r.mu.Lock()
	r.sealed.Store(true)
	r.mu.Unlock()
	r.notifyAll()
}

// notifyAll makes every island compute its verdict again. It is called without mu, after the change
// that it announces.
func (r *Registry) notifyAll() {
	for _, i := range r.Islands() {
		i.core.Inbox().Notify()
	}
}

// isSealed tells whether all islands that will ever join are known, or are made by fibers of those.
func (r *Registry) isSealed() bool { return r.SelfContained || r.sealed.Load() }

// others are the islands except this one: in a sealed registry, all that could still send a
// command here or dial a port of this island.
func (i *Island) others() []*Island {
	return slices.DeleteFunc(i.reg.Islands(), func(o *Island) bool { return o == i })
}
