package island

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/selvage-dev/selvage/scheduler"
)

// Registry is where islands find each other. All its methods are safe for concurrent use.
// The zero Registry is empty and ready.
type Registry struct {
	// Epoch is what the incarnations of this registry come after. Where a process can be
	// started again and bridges lead out of it, give each start a greater one (the time in
	// seconds, a counter that is kept): so the other side knows that it is another life.
	// Set it before the first island joins.
	Epoch uint32
	// SelfContained says that only fibers of its islands make more islands, and nobody else
	// will. Then, as after Seal, islands that all wait for each other are in deadlock.
	// Set it before the first island joins.
	SelfContained bool

	mu       sync.RWMutex
	byName   map[string]*Island
	byNumber map[uint16]*Island
	ports    map[string]any // *Port[T] by name
	numbers  uint16         // given out by Number
	lives    uint32         // incarnations begun
	sealed   atomic.Bool    // written under mu; read by every island that goes to sleep
}

// Number gives out a number that no island of the registry has or was promised, for the
// Config of a scheduler that is to join. It is deterministic: 1, 2, 3 …
func (r *Registry) Number() uint16 {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.numbers < math.MaxUint16 {
		r.numbers++
		if r.byNumber[r.numbers] == nil {
			return r.numbers
		}
	}
	return 0 // Join refuses it, if it is another's
}

// Join makes the scheduler an island, until Leave. Its owner calls it, before or while it
// runs. Its number may be 0, if no other's is. Errors: ErrTaken, ErrSealed.
func (r *Registry) Join(core *scheduler.Core, cfg Config) (*Island, error) {
	i := newIsland(r, core, cfg)
	if err := r.enter(i); err != nil {
		return nil, err
	}
	core.Ops().AddDevice(i)
	return i, nil
}

func (r *Registry) enter(i *Island) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	number := i.core.Inspect().Number()
	switch {
	case r.sealed.Load() || r.lives == math.MaxUint32-r.Epoch:
		return fmt.Errorf("%w (joining as %q)", ErrSealed, i.cfg.Name)
	case r.byName[i.cfg.Name] != nil:
		return fmt.Errorf("%w: the name %q", ErrTaken, i.cfg.Name)
	case r.byNumber[number] != nil:
		return fmt.Errorf("%w: number %d, wanted for %q, is %q's", ErrTaken, number, i.cfg.Name, r.byNumber[number].cfg.Name)
	}
	if r.byName == nil {
		r.byName, r.byNumber, r.ports = map[string]*Island{}, map[uint16]*Island{}, map[string]any{}
	}
	r.lives++
	i.addr = Address{Island: number, Incarnation: r.Epoch + r.lives}
	r.byName[i.cfg.Name], r.byNumber[number] = i, i
	return nil
}

// forget takes the island off the lists. Whoever had hoped for any island hopes for one less.
func (r *Registry) forget(i *Island) {
	r.mu.Lock()
	delete(r.byName, i.cfg.Name)
	delete(r.byNumber, i.addr.Island)
	r.mu.Unlock()
	if r.isSealed() {
		r.rouse()
	}
}

// Find is the island of that name. Errors: ErrUnknown.
func (r *Registry) Find(name string) (*Island, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if i := r.byName[name]; i != nil {
		return i, nil
	}
	return nil, fmt.Errorf("%w: %q", ErrUnknown, name)
}

// At is the island of that address: of that life and no other. Errors: ErrUnknown.
func (r *Registry) At(a Address) (*Island, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if i := r.byNumber[a.Island]; i != nil && i.addr == a {
		return i, nil
	}
	return nil, fmt.Errorf("%w: %v", ErrUnknown, a)
}

// Islands are those that are there now, in the order of their numbers.
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

// Seal says that no more islands will join. From then on fibers of several islands that
// only wait for each other can be found to be in deadlock: nobody else will come to help.
func (r *Registry) Seal() {
	r.mu.Lock()
	r.sealed.Store(true)
	r.mu.Unlock()
	r.rouse()
}

// rouse has every island look again: the verdict may be another now.
func (r *Registry) rouse() {
	for _, i := range r.Islands() {
		i.core.Inbox().Notify()
	}
}

func (r *Registry) isSealed() bool { return r.SelfContained || r.sealed.Load() }

// others are the islands beside this one.
func (i *Island) others() []*Island {
	return slices.DeleteFunc(i.reg.Islands(), func(o *Island) bool { return o == i })
}

// convict notes the deadlock for all in it, or for nobody: where one is in another already, which
// several may find at once, the end of that one may have woken others since they were asked.
func (r *Registry) convict(e *DeadlockError) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range e.Islands {
		if f.isle.deadlocked() {
			return false
		}
	}
	for _, f := range e.Islands {
		f.isle.convicted.Store(e)
	}
	e.told.Store(true) // none of them ends before the last of them has it
	return true
}
