package sync

// point is where the schedule may change while it is explored; otherwise it is nothing.
func point()

type WaitGroup struct {
	n    int
	zero chan struct{} // closed when n gets 0; nil while no goroutine waits
}

func (wg *WaitGroup) Add(delta int) {
	point()
	adding(wg, wg.n, delta)
	wg.n += delta
	if wg.n < 0 {
		panic("sync: negative WaitGroup counter")
	}
	if wg.n == 0 && wg.zero != nil {
		close(wg.zero)
		wg.zero = nil
	}
}

func (wg *WaitGroup) Done() { wg.Add(-1) }

func (wg *WaitGroup) Wait() {
	point()
	waiting(wg)
	if wg.n == 0 {
		acquire(wg, nil)
		return
	}
	if wg.zero == nil {
		wg.zero = make(chan struct{})
	}
	<-wg.zero
	acquire(wg, nil)
}

func (wg *WaitGroup) Go(f func()) {
	wg.Add(1)
	go func() {
		defer wg.Done()
		f()
	}()
}

type Once struct {
	done bool
	m    Mutex
}

func (o *Once) Do(f func()) {
	point()
	if !o.done {
		o.slow(f)
	}
	acquire(o, nil)
}

func (o *Once) slow(f func()) {
	o.m.Lock()
	defer o.m.Unlock()
	if !o.done {
		defer func() {
			release(o, nil)
			o.done = true
		}()
		f()
	}
}

// OnceFunc panics again whenever it is called after a panic of f.
func OnceFunc(f func()) func() {
	var once Once
	var well bool
	var p any
	return func() {
		once.Do(func() {
			defer func() {
				if !well {
					p = recover()
					panic(p)
				}
			}()
			f()
			f, well = nil, true
		})
		if !well {
			panic(p)
		}
	}
}

type Cond struct {
	L    Locker
	line []chan struct{}
}

func NewCond(l Locker) *Cond { return &Cond{L: l} }

func (c *Cond) Wait() {
	turn := make(chan struct{})
	c.line = append(c.line, turn)
	c.L.Unlock()
	<-turn
	c.L.Lock()
}

func (c *Cond) Signal() {
	point()
	if len(c.line) > 0 {
		turn := c.line[0]
		c.line = c.line[1:]
		close(turn)
	}
}

func (c *Cond) Broadcast() {
	point()
	line := c.line
	c.line = nil
	for _, turn := range line {
		close(turn)
	}
}

type Pool struct {
	New  func() any
	free []any
}

func (p *Pool) Get() any {
	point()
	if n := len(p.free); n > 0 {
		x := p.free[n-1]
		p.free = p.free[:n-1]
		acquire(p, x)
		return x
	}
	if p.New == nil {
		return nil
	}
	return p.New()
}

func (p *Pool) Put(x any) {
	point()
	if x != nil {
		merge(p, x)
		p.free = append(p.free, x)
	}
}

type Map struct{ m map[any]any }

func (m *Map) Load(key any) (value any, ok bool) {
	point()
	value, ok = m.m[key]
	acquire(m, key)
	return value, ok
}

func (m *Map) Store(key, value any) {
	point()
	m.store(key, value)
}

func (m *Map) store(key, value any) {
	if m.m == nil {
		m.m = map[any]any{}
	}
	m.m[key] = value
	release(m, key)
}

func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	point()
	if actual, loaded = m.m[key]; loaded {
		acquire(m, key)
		return actual, true
	}
	acquire(m, key)
	m.store(key, value)
	return value, false
}

func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	point()
	value, loaded = m.m[key]
	delete(m.m, key)
	acquire(m, key)
	release(m, key)
	return value, loaded
}

func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	point()
	previous, loaded = m.m[key]
	acquire(m, key)
	m.store(key, value)
	return previous, loaded
}

func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	point()
	acquire(m, key)
	if value, ok := m.m[key]; !ok || value != old {
		return false
	}
	m.m[key] = new
	release(m, key)
	return true
}

func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	point()
	acquire(m, key)
	if value, ok := m.m[key]; !ok || value != old {
		return false
	}
	delete(m.m, key)
	release(m, key)
	return true
}

func (m *Map) Clear() {
	point()
	m.m = nil
}

func (m *Map) Range(f func(key, value any) bool) {
	point()
	for k, v := range m.m {
		acquire(m, k)
		if !f(k, v) {
			return
		}
	}
}
