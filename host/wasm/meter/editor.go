package meter

// editor copies what it reads, except where it is told to write something else. It knows the sizes
// of the whole module.
type editor struct {
	reader
	*shape
	out    []byte
	copied int // the text before this position is in out, or was replaced
	code   code
}

// flush copies the text up to a position.
func (e *editor) flush(to int) {
	e.out = append(e.out, e.all[e.copied:to]...)
	e.copied = to
}

// insert writes bytes at the position of the reader.
func (e *editor) insert(text ...byte) {
	e.flush(e.pos)
	e.out = append(e.out, text...)
}

// replace writes a number instead of the text since start.
func (e *editor) replace(start int, n uint32) {
	e.flush(start)
	e.copied = e.pos
	e.out = appendUint(e.out, n)
}

// function reads a function index and writes the new one.
func (e *editor) function() {
	start := e.pos
	i := e.index("function", e.functions)
	if i >= e.importedFunctions {
		e.replace(start, i+1)
	}
}

// longer reads the length of the vector of a section whose entries have at least size bytes, and writes
// the length with the entries that metering adds.
func (e *editor) longer(id byte, size int) uint32 {
	start := e.pos
	n := e.count(size)
	if e.ok() {
		e.replace(start, n+e.added(id))
	}
	return n
}

// nested edits a part with its size in front, and writes the new size.
func (e *editor) nested(edit func()) {
	start := e.pos
	size := e.uint()
	if uint64(size) > uint64(e.left()) {
		e.fail(start, "size %d, but %d bytes are left", size, e.left())
		return
	}
	e.flush(start)
	end, outer := e.end, e.out
	e.out, e.copied, e.end = nil, e.pos, e.pos+int(size)
	edit()
	e.finish()
	e.flush(e.pos)
	e.out = append(appendUint(outer, uint32(len(e.out))), e.out...)
	e.end = end
}

func appendUint(to []byte, n uint32) []byte {
	for ; n >= 0x80; n >>= 7 {
		to = append(to, byte(n)|0x80)
	}
	return append(to, byte(n))
}

func appendName(to []byte, name string) []byte {
	return append(appendUint(to, uint32(len(name))), name...)
}
