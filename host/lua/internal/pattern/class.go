package pattern

// set is a set of bytes, one bit for each.
type set [4]uint64

func (s *set) add(b byte) { s[b>>6] |= 1 << (b & 63) }

func (s *set) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

func (s *set) join(other *set) {
	for i := range s {
		s[i] |= other[i]
	}
}

func (s *set) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

// where is the set of the bytes for which a condition holds.
func where(holds func(b byte) bool) *set {
	var s set
	for b := range 256 {
		if holds(byte(b)) {
			s.add(byte(b))
		}
	}
	return &s
}

func between(low, high byte) *set { return where(func(b byte) bool { return low <= b && b <= high }) }

func union(sets ...*set) *set {
	var all set
	for _, s := range sets {
		all.join(s)
	}
	return &all
}

// classes are the classes by their letter, in the C locale. They never change. A capital letter is the
// complement.
var classes = func() map[byte]*set {
	lower, upper, digits := between('a', 'z'), between('A', 'Z'), between('0', '9')
	all := map[byte]*set{
		'a': union(lower, upper),
		'c': union(between(0, 0x1f), between(0x7f, 0x7f)),
		'd': digits,
		'l': lower,
		'p': union(between('!', '/'), between(':', '@'), between('[', '`'), between('{', '~')),
		's': union(between('\t', '\r'), between(' ', ' ')),
		'u': upper,
		'w': union(lower, upper, digits),
		'x': union(digits, between('a', 'f'), between('A', 'F')),
		'z': between(0, 0),
	}
	for letter := byte('a'); letter <= 'z'; letter++ {
		if s, ok := all[letter]; ok {
			other := *s
			other.invert()
			all[letter-'a'+'A'] = &other
		}
	}
	return all
}()

var (
	anyByte = where(func(byte) bool { return true })
	noByte  = where(func(byte) bool { return false })
)
