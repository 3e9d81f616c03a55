package lib

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

func strconvNatives() map[string]Func {
	return map[string]Func{
		"strconv.parseInt": func(c *Call) {
			i, err := strconv.ParseInt(c.number(), c.Int(), bitsOf(c.Int()))
			c.ReturnWord(uint64(i))
			c.ReturnInt(parseFailure(err))
		},
		"strconv.parseUint": func(c *Call) {
			i, err := strconv.ParseUint(c.number(), c.Int(), bitsOf(c.Int()))
			c.ReturnWord(i)
			c.ReturnInt(parseFailure(err))
		},
		"strconv.parseFloat": func(c *Call) {
			f, err := strconv.ParseFloat(c.number(), c.Int())
			c.ReturnFloat(f)
			c.ReturnInt(parseFailure(err))
		},
		"strconv.unquote":     unquote,
		"strconv.formatInt":   func(c *Call) { c.ReturnString(strconv.FormatInt(int64(c.Word()), c.Int())) },
		"strconv.formatUint":  func(c *Call) { c.ReturnString(strconv.FormatUint(c.Word(), c.Int())) },
		"strconv.formatFloat": formatFloat,
		"strconv.Quote":       quote,
		"strconv.QuoteRune":   func(c *Call) { c.ReturnString(strconv.QuoteRune(rune(c.Int()))) },
	}
}

func quote(c *Call) {
	s := c.String()
	if len(s) > maxJoined/bytesPerByte {
		c.TooLong()
		return
	}
	c.returnText(quoted(c.newText(), s, strconv.Quote))
}

// number is the next argument, a string that is parsed as a number. One of more than PieceBytes is none.
func (c *Call) number() string {
	s := c.String()
	if len(s) > value.PieceBytes {
		return ""
	}
	c.Spend(len(s))
	return s
}

// quoted adds a string as quote shows it, which puts one byte before and after it.
func quoted(t *chunks, s string, quote func(string) string) *chunks {
	t.add("\"")
	runePieces(t.Pace, s, func(part string) bool {
		q := quote(part)
		t.add(q[1 : len(q)-1])
		return !t.stuck()
	})
	t.add("\"")
	return t
}

func unquote(c *Call) {
	s := c.String()
	if len(s) <= value.PieceBytes {
		c.Spend(len(s))
		text, err := strconv.Unquote(s)
		c.ReturnString(text)
		c.ReturnInt(parseFailure(err))
		return
	}
	t := c.newText()
	ok := s[0] == s[len(s)-1] && unquoteLong(t, s[1:len(s)-1], s[0])
	if ok {
		c.returnText(t)
	} else {
		c.ReturnRef("")
	}
	c.ReturnBool(!ok)
}

// unquoteLong is strconv.Unquote of a long string, without its quotes.
func unquoteLong(t *chunks, s string, quote byte) bool {
	switch quote {
	case '`':
		if index(t.Pace, s, "`") >= 0 {
			return false
		}
		t.Pieces(0, len(s), 1, func(lo, hi int) { t.add(strings.ReplaceAll(s[lo:hi], "\r", "")) })
		return true
	case '"':
		for s != "" && !t.stuck() {
			if s[0] == '\n' || s[0] == quote {
				return false
			}
			r, multibyte, rest, err := strconv.UnquoteChar(s, quote)
			if err != nil {
				return false
			}
			if multibyte || r < utf8.RuneSelf {
				t.add(string(r))
			} else {
				t.add(string([]byte{byte(r)}))
			}
			s = rest
		}
		return true
	}
	return false
}

// bitsOf is the size of an integer; 0 means the program's int, which does not depend on the host.
func bitsOf(bits int) int {
	if bits == 0 {
		return 64
	}
	return bits
}

func parseFailure(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, strconv.ErrRange):
		return 2
	}
	return 1
}

// maxDigits is more than a float64 has, whatever the verb.
const maxDigits = 1100

func formatFloat(c *Call) {
	f, verb, precision, bits := c.Float(), byte(c.Int()), c.Int(), c.Int()
	switch {
	case precision > maxString:
		c.TooLong()
	case precision <= maxDigits || !strings.ContainsRune("fFeExX", rune(verb)):
		c.Spend(max(precision, 0))
		c.ReturnString(strconv.FormatFloat(f, verb, min(precision, maxDigits), bits))
	default:
		c.returnText(longFloat(c.newText(), f, verb, precision, bits))
	}
}

// longFloat adds a float with more digits than it has.
func longFloat(t *chunks, f float64, verb byte, precision, bits int) *chunks {
	digits, exponent := strconv.FormatFloat(f, verb, maxDigits, bits), ""
	if f-f != 0 { // it is infinite or no number
		t.add(digits)
		return t
	}
	if verb != 'f' && verb != 'F' {
		at := strings.LastIndexAny(digits, "eEpP")
		digits, exponent = digits[:at], digits[at:]
	}
	t.add(digits)
	for left := precision - maxDigits; left > 0 && !t.stuck(); left -= value.PieceBytes {
		t.add(strings.Repeat("0", min(left, value.PieceBytes)))
	}
	t.add(exponent)
	return t
}
