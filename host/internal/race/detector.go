package race

// Detector finds the races of one run. It belongs to the goroutine that runs the program.
type Detector struct {
	// Where returns where the current thread is; it is called when an access is kept for reports.
	Where func() any
	// Found is called with each race, once for each word.
	Found func(Race)

	threads int
	cells   map[any]*cell
	words   map[*uint64]*cell
	refs    map[*any]*cell
	objects map[any]Clock
	chans   map[any]*channel
}

// New makes a detector that knows no accesses yet.
func New(where func() any, found func(Race)) *Detector {
	return &Detector{
		Where: where, Found: found, cells: map[any]*cell{}, words: map[*uint64]*cell{}, refs: map[*any]*cell{},
		objects: map[any]Clock{}, chans: map[any]*channel{},
	}
}

// Start is the begin of a thread: all that the parent has done happens before it. Without a parent
// nothing does.
func (d *Detector) Start(name string, parent *Thread) *Thread {
	t := &Thread{Name: name, Parent: parent, number: d.threads}
	d.threads++
	if parent != nil {
		t.clock, t.Created = parent.Snapshot(), d.Where()
	}
	for len(t.clock) <= t.number {
		t.clock = append(t.clock, 0)
	}
	t.tick() // at 0 everything would be seen
	return t
}

// Words is an access of words.
func (d *Detector) Words(t *Thread, k Kind, what string, words []uint64) {
	for i := range words {
		d.access(cellOf(d.words, &words[i]), t, k, what)
	}
}

// Refs is an access of references.
func (d *Detector) Refs(t *Thread, k Kind, what string, refs []any) {
	for i := range refs {
		d.access(cellOf(d.refs, &refs[i]), t, k, what)
	}
}

// Whole is an access of something that counts as one word, such as a map.
func (d *Detector) Whole(t *Thread, k Kind, what string, object any) {
	d.access(cellOf(d.cells, object), t, k, what)
}

func cellOf[K comparable](cells map[K]*cell, key K) *cell {
	c := cells[key]
	if c == nil {
		c = &cell{}
		cells[key] = c
	}
	return c
}

func (d *Detector) access(c *cell, t *Thread, k Kind, what string) {
	if c.done || c.known(t, k) {
		return
	}
	a := &Access{Kind: k, Thread: t, What: what, Where: d.Where(), at: t.clock[t.number]}
	if first := c.conflict(t, k); first != nil {
		c.done = true
		d.Found(Race{first, a})
		return
	}
	c.note(a)
}

// Release makes all that the thread has done until now known to those that acquire the object, and
// nothing of earlier releases.
func (d *Detector) Release(t *Thread, object any) { d.objects[object] = t.Snapshot() }

// Merge is Release, and earlier releases stay known.
func (d *Detector) Merge(t *Thread, object any) {
	d.objects[object] = d.objects[object].join(t.Snapshot())
}

// Acquire orders what was released to the object before what the thread does from now on.
func (d *Detector) Acquire(t *Thread, object any) { t.Acquire(d.objects[object]) }
