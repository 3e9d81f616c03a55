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
func FullRune(p []byte) bool {
	r, n := DecodeRune(p)
	return r != RuneError || n > 1 || len(p) >= UTFMax
}
func RuneCount(p []byte) int             { return RuneCountInString(string(p)) }
func Valid(p []byte) bool                { return ValidString(string(p)) }
func AppendRune(p []byte, r rune) []byte { return append(p, string(r)...) }
func EncodeRune(p []byte, r rune) int    { return copy(p, string(r)) }
