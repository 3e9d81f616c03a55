// Package strconv is what minigo has of Go's.
package strconv

import "errors"

const IntSize = 64

var (
	ErrRange  = errors.New("value out of range")
	ErrSyntax = errors.New("invalid syntax")
)

type NumError struct {
	Func string
	Num  string
	Err  error
}

func (e *NumError) Error() string {
	return "strconv." + e.Func + ": parsing " + Quote(e.Num) + ": " + e.Err.Error()
}

func (e *NumError) Unwrap() error { return e.Err }

// The natives tell what was wrong by a number: 1 syntax, 2 range.
func parseInt(s string, base, bits int) (int64, int)
func parseUint(s string, base, bits int) (uint64, int)
func parseFloat(s string, bits int) (float64, int)
func unquote(s string) (string, int)

func failure(f, s string, code int) error {
	switch code {
	case 0:
		return nil
	case 1:
		return &NumError{f, s, ErrSyntax}
	}
	return &NumError{f, s, ErrRange}
}

// failureOf also reports an invalid base or size, if there are digits.
func failureOf(f, s, digits string, base, bits, code int) error {
	switch {
	case code != 1 || digits == "":
	case base != 0 && base < 2 || base > 36:
		return &NumError{f, s, errors.New("invalid base " + Itoa(base))}
	case bits < 0 || bits > 64:
		return &NumError{f, s, errors.New("invalid bit size " + Itoa(bits))}
	}
	return failure(f, s, code)
}

func Atoi(s string) (int, error) {
	i, code := parseInt(s, 10, 0)
	return int(i), failure("Atoi", s, code)
}

func ParseInt(s string, base int, bitSize int) (int64, error) {
	i, code := parseInt(s, base, bitSize)
	digits := s
	if s != "" && (s[0] == '+' || s[0] == '-') {
		digits = s[1:]
	}
	return i, failureOf("ParseInt", s, digits, base, bitSize, code)
}

func ParseUint(s string, base int, bitSize int) (uint64, error) {
	i, code := parseUint(s, base, bitSize)
	return i, failureOf("ParseUint", s, s, base, bitSize, code)
}

func ParseFloat(s string, bitSize int) (float64, error) {
	f, code := parseFloat(s, bitSize)
	return f, failure("ParseFloat", s, code)
}

func ParseBool(str string) (bool, error) {
	switch str {
	case "1", "t", "T", "true", "TRUE", "True":
		return true, nil
	case "0", "f", "F", "false", "FALSE", "False":
		return false, nil
	}
	return false, &NumError{"ParseBool", str, ErrSyntax}
}

func FormatBool(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func Itoa(i int) string { return formatInt(int64(i), 10) }

func formatInt(i int64, base int) string
func formatUint(i uint64, base int) string
func formatFloat(f float64, fmt byte, prec, bitSize int) string

func FormatInt(i int64, base int) string {
	checkBase(base)
	return formatInt(i, base)
}

func FormatUint(i uint64, base int) string {
	checkBase(base)
	return formatUint(i, base)
}

func checkBase(base int) {
	if base < 2 || base > 36 {
		panic("strconv: illegal AppendInt/FormatInt base")
	}
}

func FormatFloat(f float64, fmt byte, prec, bitSize int) string {
	if bitSize != 32 && bitSize != 64 {
		panic("strconv: illegal AppendFloat/FormatFloat bitSize")
	}
	return formatFloat(f, fmt, prec, bitSize)
}

func Quote(s string) string
func QuoteRune(r rune) string

func Unquote(s string) (string, error) {
	t, code := unquote(s)
	if code != 0 {
		return "", ErrSyntax
	}
	return t, nil
}

func AppendInt(dst []byte, i int64, base int) []byte { return append(dst, FormatInt(i, base)...) }
func AppendQuote(dst []byte, s string) []byte        { return append(dst, Quote(s)...) }
