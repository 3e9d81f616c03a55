package lib

import (
	"errors"
	"strconv"
)

func strconvNatives() map[string]Func {
	return map[string]Func{
		"strconv.parseInt": func(c *Call) {
			i, err := strconv.ParseInt(c.String(), c.Int(), bitsOf(c.Int()))
			c.ReturnWord(uint64(i))
			c.ReturnInt(parseFailure(err))
		},
		"strconv.parseUint": func(c *Call) {
			i, err := strconv.ParseUint(c.String(), c.Int(), bitsOf(c.Int()))
			c.ReturnWord(i)
			c.ReturnInt(parseFailure(err))
		},
		"strconv.parseFloat": func(c *Call) {
			f, err := strconv.ParseFloat(c.String(), c.Int())
			c.ReturnFloat(f)
			c.ReturnInt(parseFailure(err))
		},
		"strconv.unquote": func(c *Call) {
			s, err := strconv.Unquote(c.String())
			c.ReturnString(s)
			c.ReturnInt(parseFailure(err))
		},
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
	c.ReturnString(strconv.Quote(s))
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

func formatFloat(c *Call) {
	f, verb, precision, bits := c.Float(), byte(c.Int()), c.Int(), c.Int()
	if precision > maxString {
		c.TooLong()
		return
	}
	c.ReturnString(strconv.FormatFloat(f, verb, precision, bits))
}
