// Package unicode is what minigo has of Go's.
package unicode

const (
	MaxRune         = '\U0010FFFF'
	ReplacementChar = '\uFFFD'
	MaxASCII        = '\u007F'
	MaxLatin1       = '\u00FF'
)

func IsControl(r rune) bool
func IsDigit(r rune) bool
func IsLetter(r rune) bool
func IsLower(r rune) bool
func IsNumber(r rune) bool
func IsPrint(r rune) bool
func IsPunct(r rune) bool
func IsSpace(r rune) bool
func IsSymbol(r rune) bool
func IsUpper(r rune) bool
func ToLower(r rune) rune
func ToTitle(r rune) rune
func ToUpper(r rune) rune
