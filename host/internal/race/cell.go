package race

// Kind is the kind of an access.
type Kind uint8

// The kinds. Atomic accesses do not conflict with each other.
const (
	Read Kind = iota
	Write
	AtomicRead
	AtomicWrite
	kinds
)

// conflicts says which earlier accesses an access must be ordered after.
func (k Kind) conflicts() []Kind {
	return [kinds][]Kind{
		Read:        {Write, AtomicWrite},
		Write:       {Write, AtomicWrite, Read, AtomicRead},
		AtomicRead:  {Write},
		AtomicWrite: {Write, Read},
	}[k]
}

// Access is one access of a word, a map or a channel.
type Access struct {
	Kind   Kind
	Thread *Thread
	// What names the variable, if it is known.
	What string
	// Where is what Detector.Where has returned.
	Where any

	at uint32 // the time of the thread
}

// Race is two accesses that nothing orders. First came first in this run.
type Race struct{ First, Second *Access }

// cell is what is known of one word: of each kind the accesses that happen before no later one of the
// kind that is here. A write that is ordered after all of them replaces them.
type cell struct {
	by   [kinds][]*Access
	done bool // a race was found here: the next ones would be its consequences
}

// known reports whether an access adds nothing: the thread has made one at this time that conflicts
// with as much.
func (c *cell) known(t *Thread, k Kind) bool {
	for _, kind := range [...]Kind{k, Write} {
		if n := len(c.by[kind]); n > 0 {
			if a := c.by[kind][n-1]; a.Thread == t && a.at == t.clock[t.number] {
				return true
			}
		}
	}
	return false
}

// conflict is an earlier access that conflicts with one of the thread and is not ordered before it.
func (c *cell) conflict(t *Thread, k Kind) *Access {
	for _, kind := range k.conflicts() {
		for _, a := range c.by[kind] {
			if !t.sees(a) {
				return a
			}
		}
	}
	return nil
}

// note adds an access that conflicts with nothing.
func (c *cell) note(a *Access) {
	if a.Kind == Write {
		c.by = [kinds][]*Access{Write: append(c.by[Write][:0], a)}
		return
	}
	kept := c.by[a.Kind][:0]
	for _, b := range c.by[a.Kind] {
		if !a.Thread.sees(b) {
			kept = append(kept, b)
		}
	}
	c.by[a.Kind] = append(kept, a)
}
