package sync

type Locker interface {
	Lock()
	Unlock()
}

func fatal(text string)

// For the race detector: see lock.go.
func acquire(object, key any)
func release(object, key any)
func merge(object, key any)
func adding(object any, n, delta int)
func waiting(object any)

// Mutex is as unfair as Go's: Unlock wakes the first goroutine that waits, and any other one may take
// the lock before it.
type Mutex struct {
	locked bool
	line   []chan struct{}
}

func (m *Mutex) Lock() {
	point()
	m.wait()
}

// wait takes the lock when it is free.
func (m *Mutex) wait() {
	for again := false; m.locked; again = true {
		turn := make(chan struct{})
		if again { // it was woken, and came too late
			m.line = append([]chan struct{}{turn}, m.line...)
		} else {
			m.line = append(m.line, turn)
		}
		<-turn
	}
	m.locked = true
	acquire(&m.locked, nil)
}

func (m *Mutex) TryLock() bool {
	point()
	if m.locked {
		return false
	}
	m.locked = true
	acquire(&m.locked, nil)
	return true
}

func (m *Mutex) Unlock() {
	point()
	if !m.locked {
		fatal("sync: unlock of unlocked mutex")
	}
	m.unlock()
}

func (m *Mutex) unlock() {
	release(&m.locked, nil)
	m.locked = false
	if len(m.line) > 0 {
		turn := m.line[0]
		m.line = m.line[1:]
		close(turn)
	}
}

// RWMutex is Go's: a writer holds back the readers that come after it, and at its end all readers that
// wait have the lock before the next writer.
type RWMutex struct {
	w       Mutex // of the writer that has the lock, or waits for the readers
	pending bool  // there is such a writer
	writing bool
	readers int           // that have the lock
	line    chan struct{} // closed when the readers have it that wait for the writer
	held    int           // how many they are
	drained chan struct{} // closed when no reader has it, for the writer
}

func (m *RWMutex) Lock() {
	point()
	m.w.wait()
	m.pending = true
	if m.readers > 0 {
		m.drained = make(chan struct{})
		m.wait(m.drained)
	}
	m.writing = true
	acquire(&m.writing, nil)
	acquire(&m.readers, nil)
}

func (m *RWMutex) TryLock() bool {
	point()
	if m.w.locked || m.readers > 0 {
		return false
	}
	m.w.locked, m.pending, m.writing = true, true, true
	acquire(&m.writing, nil)
	acquire(&m.readers, nil)
	return true
}

func (m *RWMutex) Unlock() {
	point()
	if !m.writing {
		fatal("sync: Unlock of unlocked RWMutex")
	}
	release(&m.writing, nil)
	m.pending, m.writing = false, false
	if m.held > 0 {
		m.readers += m.held
		m.held = 0
		close(m.line)
	}
	m.w.unlock()
}

func (m *RWMutex) RLock() {
	point()
	if !m.pending {
		m.readers++
		acquire(&m.writing, nil)
		return
	}
	if m.held == 0 {
		m.line = make(chan struct{})
	}
	m.held++
	m.wait(m.line)
	acquire(&m.writing, nil)
}

func (m *RWMutex) wait(turn chan struct{}) { <-turn }

func (m *RWMutex) TryRLock() bool {
	point()
	if m.pending {
		return false
	}
	m.readers++
	acquire(&m.writing, nil)
	return true
}

func (m *RWMutex) RUnlock() {
	point()
	if m.readers == 0 {
		fatal("sync: RUnlock of unlocked RWMutex")
	}
	merge(&m.readers, nil)
	m.readers--
	if m.readers == 0 && m.drained != nil {
		close(m.drained)
		m.drained = nil
	}
}

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }

func (m *RWMutex) RLocker() Locker { return (*rlocker)(m) }
