// Package utf8 is what minigo has of Go's.
package utf8

const (
	RuneError = '\uFFFD'
	RuneSelf  = 0x80
	MaxRune   = '\U0010FFFF'
	UTFMax    = 4
)

func DecodeLastRuneInString(s string) (rune, int)
func DecodeRuneInString(s string) (rune, int)
func RuneCountInString(s string) (n int)
func RuneLen(r rune) int
func ValidRune(r rune) bool
func ValidString(s string) bool

func DecodeRune(p []byte) (rune, int)     { return DecodeRuneInString(string(p[:min(len(p), UTFMax)])) }
func DecodeLastRune(p []byte) (rune, int) { return DecodeLastRuneInString(string(p)) }

// FullRune reports whether p begins with a rune, or with what can be none whatever follows: then
// one with some of the bytes that may follow is no rune either.
func FullRune(p []byte) bool {
	if len(p) == 0 {
		return false
	}
	if _, n := DecodeRune(p); n > 1 || p[0] < RuneSelf || len(p) >= UTFMax {
		return true
	}
	for _, low := range []byte{0x80, 0x90, 0xA0} {
		whole := append([]byte(nil), p...)
		for len(whole) < UTFMax {
			whole = append(whole, low)
			if Valid(whole) {
				return false
			}
			low = 0x80
		}
	}
	return true
}
func RuneCount(p []byte) int             { return RuneCountInString(string(p)) }
func Valid(p []byte) bool                { return ValidString(string(p)) }
func AppendRune(p []byte, r rune) []byte { return append(p, string(r)...) }

func EncodeRune(p []byte, r rune) int {
	s := string(r)
	_ = p[len(s)-1] // panics if there is no room
	return copy(p, s)
}
