package meter

import (
	"fmt"
	"unicode/utf8"
)

// reader reads a part of a module. After the first error, which err holds, it returns only zeroes;
// loops over counts check ok.
type reader struct {
	all      []byte
	pos, end int
	section  string
	err      *Error
}

func (r *reader) ok() bool { return r.err == nil }

// fail records an error at a position, if it is the first.
func (r *reader) fail(at int, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{Offset: at, Section: r.section, What: fmt.Sprintf(format, args...)}
		r.pos = r.end
	}
}

func (r *reader) left() int { return r.end - r.pos }

func (r *reader) byte() byte {
	if !r.ok() {
		return 0
	}
	if r.pos >= r.end {
		r.fail(r.pos, "unexpected end")
		return 0
	}
	r.pos++
	return r.all[r.pos-1]
}

// skip passes n bytes.
func (r *reader) skip(n uint64) {
	if n > uint64(r.left()) {
		r.fail(r.pos, "%d bytes wanted, %d are left", n, r.left())
		return
	}
	r.pos += int(n)
}

// uint reads an unsigned LEB128 number of 32 bits.
func (r *reader) uint() uint32 {
	start, v := r.pos, uint64(0)
	for shift := 0; ; shift += 7 {
		b := r.byte()
		v |= uint64(b&0x7f) << shift
		switch {
		case !r.ok():
			return 0
		case shift == 28 && b > 0x0f:
			r.fail(start, "number is larger than 32 bits")
			return 0
		case b < 0x80:
			return uint32(v)
		}
	}
}

// signed reads a signed LEB128 number of that many bits. The value is right only if it is small,
// which is enough for block types.
func (r *reader) signed(bits int) int64 {
	start, v := r.pos, int64(0)
	for shift := 0; ; shift += 7 {
		b := r.byte()
		v |= int64(b&0x7f) << shift
		switch {
		case !r.ok():
			return 0
		case b >= 0x80 && shift+7 >= bits:
			r.fail(start, "number is larger than %d bits", bits)
			return 0
		case b >= 0x80:
			continue
		case b&0x40 != 0 && shift+7 < 64:
			v |= -1 << (shift + 7)
		}
		return v
	}
}

// count reads the length of a vector whose entries have at least size bytes.
func (r *reader) count(size int) uint32 {
	start := r.pos
	n := r.uint()
	if uint64(n)*uint64(size) > uint64(r.left()) {
		r.fail(start, "%d entries cannot be in %d bytes", n, r.left())
		return 0
	}
	return n
}

func (r *reader) name() string {
	start := r.pos
	n := r.count(1)
	text := r.all[r.pos : r.pos+int(n)]
	r.skip(uint64(n))
	if !utf8.Valid(text) {
		r.fail(start, "name is not UTF-8")
	}
	return string(text)
}

// index reads an index into a space with size entries, and refuses one outside: the program must
// not refer to the entries that the rewriting adds behind the end.
func (r *reader) index(space string, size uint32) uint32 {
	start := r.pos
	i := r.uint()
	if r.ok() && i >= size {
		r.fail(start, "%s %d: there are %d", space, i, size)
	}
	return i
}

// finish refuses text that is left over.
func (r *reader) finish() {
	if r.ok() && r.pos != r.end {
		r.fail(r.pos, "%d bytes more than expected", r.left())
	}
}
