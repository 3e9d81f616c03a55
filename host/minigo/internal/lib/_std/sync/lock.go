// Package sync is minigo's subset of Go's. A goroutine is preempted only at a call, at a
// backward jump and where it waits; the code between these is atomic.
package sync

type Locker interface {
	Lock()
	Unlock()
}

func fatal(text string)

// The race detector learns from these what happens before what; without it, calls of them are not
// compiled, nor are their arguments. The keys of one object are synchronized separately.
//
// release makes what the goroutine has done known to those that acquire the object; merge keeps what
// earlier ones have made known.
func acquire(object, key any)
func release(object, key any)
func merge(object, key any)

// adding is a change of a counter of a WaitGroup, and waiting a wait for it: an increase from 0 must be
// ordered with the waits.
func adding(object any, n, delta int)
func waiting(object any)

// Mutex is a channel of capacity one: a sender that has succeeded holds the lock.
type Mutex struct{ c chan struct{} }

func (m *Mutex) Lock() {
	if m.c == nil {
		m.c = make(chan struct{}, 1)
	}
	m.c <- struct{}{}
}

func (m *Mutex) TryLock() bool {
	if m.c == nil {
		m.c = make(chan struct{}, 1)
	}
	select {
	case m.c <- struct{}{}:
		return true
	default:
		return false
	}
}

func (m *Mutex) Unlock() {
	select {
	case <-m.c:
	default:
		fatal("sync: unlock of unlocked mutex")
	}
}

// RWMutex serves in order of arrival: a writer that waits holds back later readers.
type RWMutex struct {
	readers int
	writing bool
	line    []ticket
}

type ticket struct {
	write bool
	turn  chan struct{}
}

func (m *RWMutex) wait(write bool) {
	t := ticket{write, make(chan struct{})}
	m.line = append(m.line, t)
	<-t.turn
}

// admit lets in those at the head of the line who can have the lock now.
func (m *RWMutex) admit() {
	for len(m.line) > 0 && !m.writing {
		t := m.line[0]
		if t.write {
			if m.readers > 0 {
				return
			}
			m.writing = true
		} else {
			m.readers++
		}
		m.line = m.line[1:]
		close(t.turn)
	}
}

func (m *RWMutex) Lock() {
	if m.writing || m.readers > 0 || len(m.line) > 0 {
		m.wait(true)
		acquire(&m.writing, nil)
		acquire(&m.readers, nil)
		return
	}
	m.writing = true
	acquire(&m.writing, nil)
	acquire(&m.readers, nil)
}

func (m *RWMutex) TryLock() bool {
	if m.writing || m.readers > 0 || len(m.line) > 0 {
		return false
	}
	m.writing = true
	acquire(&m.writing, nil)
	acquire(&m.readers, nil)
	return true
}

func (m *RWMutex) Unlock() {
	if !m.writing {
		fatal("sync: Unlock of unlocked RWMutex")
	}
	release(&m.writing, nil)
	m.writing = false
	m.admit()
}

func (m *RWMutex) RLock() {
	if m.writing || len(m.line) > 0 {
		m.wait(false)
		acquire(&m.writing, nil)
		return
	}
	m.readers++
	acquire(&m.writing, nil)
}

func (m *RWMutex) TryRLock() bool {
	if m.writing || len(m.line) > 0 {
		return false
	}
	m.readers++
	acquire(&m.writing, nil)
	return true
}

func (m *RWMutex) RUnlock() {
	if m.readers == 0 {
		fatal("sync: RUnlock of unlocked RWMutex")
	}
	merge(&m.readers, nil)
	m.readers--
	m.admit()
}

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }

func (m *RWMutex) RLocker() Locker { return (*rlocker)(m) }
