// Package strings is what minigo has of Go's.
package strings

import (
	"io"
	"unicode/utf8"
)

func Compare(a, b string) int
func Contains(s, substr string) bool
func ContainsAny(s, chars string) bool
func ContainsRune(s string, r rune) bool
func Count(s, substr string) int
func EqualFold(s, t string) bool
func Fields(s string) []string
func HasPrefix(s, prefix string) bool
func HasSuffix(s, suffix string) bool
func Index(s, substr string) int
func IndexAny(s, chars string) int
func IndexByte(s string, c byte) int
func IndexRune(s string, r rune) int
func Join(elems []string, sep string) string
func LastIndex(s, substr string) int
func LastIndexAny(s, chars string) int
func LastIndexByte(s string, c byte) int
func Replace(s, old, new string, n int) string
func ReplaceAll(s, old, new string) string
func Split(s, sep string) []string
func SplitAfter(s, sep string) []string
func SplitAfterN(s, sep string, n int) []string
func SplitN(s, sep string, n int) []string
func ToLower(s string) string
func ToTitle(s string) string
func ToUpper(s string) string
func Trim(s, cutset string) string
func TrimLeft(s, cutset string) string
func TrimPrefix(s, prefix string) string
func TrimRight(s, cutset string) string
func TrimSpace(s string) string
func TrimSuffix(s, suffix string) string

func repeat(s string, count int) string

func Repeat(s string, count int) string {
	if count < 0 {
		panic("strings: negative Repeat count")
	}
	return repeat(s, count)
}

func Clone(s string) string { return s }

func Cut(s, sep string) (before, after string, found bool) {
	if i := Index(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func CutPrefix(s, prefix string) (after string, found bool) {
	if !HasPrefix(s, prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

func CutSuffix(s, suffix string) (before string, found bool) {
	if !HasSuffix(s, suffix) {
		return s, false
	}
	return s[:len(s)-len(suffix)], true
}

func IndexFunc(s string, f func(rune) bool) int {
	for i, r := range s {
		if f(r) {
			return i
		}
	}
	return -1
}

func LastIndexFunc(s string, f func(rune) bool) int {
	for i := len(s); i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
		if f(r) {
			return i
		}
	}
	return -1
}

func ContainsFunc(s string, f func(rune) bool) bool { return IndexFunc(s, f) >= 0 }

func not(f func(rune) bool) func(rune) bool { return func(r rune) bool { return !f(r) } }

func TrimLeftFunc(s string, f func(rune) bool) string {
	if i := IndexFunc(s, not(f)); i >= 0 {
		return s[i:]
	}
	return ""
}

func TrimRightFunc(s string, f func(rune) bool) string {
	i := LastIndexFunc(s, not(f))
	if i < 0 {
		return ""
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return s[:i+size]
}

func TrimFunc(s string, f func(rune) bool) string { return TrimRightFunc(TrimLeftFunc(s, f), f) }

func FieldsFunc(s string, f func(rune) bool) []string {
	var fields []string
	start := -1
	for i, r := range s {
		switch {
		case f(r):
			if start >= 0 {
				fields = append(fields, s[start:i])
				start = -1
			}
		case start < 0:
			start = i
		}
	}
	if start >= 0 {
		fields = append(fields, s[start:])
	}
	return fields
}

func Map(mapping func(rune) rune, s string) string {
	var b Builder
	for _, r := range s {
		if m := mapping(r); m >= 0 {
			b.WriteRune(m)
		}
	}
	return b.String()
}

// buffer is the machine's.
type buffer struct{}

// Builder builds a string; what has been written lies in the machine's buffer.
type Builder struct{ b *buffer }

func (b *Builder) write(s string)
func (b *Builder) String() string
func (b *Builder) Len() int
func (b *Builder) Reset()

func (b *Builder) Grow(n int) {
	if n < 0 {
		panic("strings.Builder.Grow: negative count")
	}
}

func (b *Builder) Cap() int { return b.Len() }

func (b *Builder) Write(p []byte) (int, error) {
	b.write(string(p))
	return len(p), nil
}

func (b *Builder) WriteString(s string) (int, error) {
	b.write(s)
	return len(s), nil
}

func (b *Builder) WriteByte(c byte) error {
	b.write(string([]byte{c}))
	return nil
}

func (b *Builder) WriteRune(r rune) (int, error) {
	s := string(r)
	b.write(s)
	return len(s), nil
}

// Replacer replaces a list of strings, the first that matches at each place.
type Replacer struct{ pairs []string }

func NewReplacer(oldnew ...string) *Replacer {
	if len(oldnew)%2 == 1 {
		panic("strings.NewReplacer: odd argument count")
	}
	return &Replacer{append([]string(nil), oldnew...)}
}

func replace(pairs []string, s string) string

func (r *Replacer) Replace(s string) string { return replace(r.pairs, s) }

// Reader reads a string.
type Reader struct {
	s string
	i int
}

func NewReader(s string) *Reader { return &Reader{s, 0} }

func (r *Reader) Len() int { return len(r.s) - r.i }

func (r *Reader) ReadByte() (byte, error) {
	if r.i >= len(r.s) {
		return 0, io.EOF
	}
	r.i++
	return r.s[r.i-1], nil
}

func (r *Reader) Read(p []byte) (n int, err error) {
	if r.i >= len(r.s) {
		return 0, io.EOF
	}
	n = copy(p, r.s[r.i:])
	r.i += n
	return n, nil
}
