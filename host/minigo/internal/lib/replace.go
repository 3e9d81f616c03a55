package lib

import (
	"errors"
	"strings"
)

// replaceN is strings.Replace.
func (c *Call) replaceN(s, old, with string, n int) {
	if more := len(with) - len(old); more > 0 {
		times := strings.Count(s, old)
		if n >= 0 {
			times = min(times, n)
		}
		if int64(times)*int64(more) > maxJoined-int64(len(s)) {
			c.TooLong()
			return
		}
	}
	c.ReturnString(strings.Replace(s, old, with, n))
}

// maxReplacing limits the bytes a Replacer scans when nearly every position matches.
const maxReplacing = 1 << 34

func replace(c *Call) {
	pairs, s := c.texts(), c.String()
	longest := 0
	for i := 0; i < len(pairs); i += 2 {
		longest = max(longest, len(pairs[i]))
	}
	if int64(len(s))*int64(longest) > maxReplacing {
		c.Then, c.Err = Fatal, errors.New("strings.Replacer: the strings are too long")
		return
	}
	var to limited
	if _, err := strings.NewReplacer(pairs...).WriteString(&to, s); err != nil {
		c.TooLong()
		return
	}
	c.ReturnString(to.b.String())
}

// limited is a string of up to maxString.
type limited struct{ b strings.Builder }

var errTooLong = errors.New("a string is too long")

func (l *limited) Write(b []byte) (int, error) {
	if l.b.Len()+len(b) > maxString {
		return 0, errTooLong
	}
	return l.b.Write(b)
}

// WriteString is Write.
func (l *limited) WriteString(s string) (int, error) {
	if l.b.Len()+len(s) > maxString {
		return 0, errTooLong
	}
	return l.b.WriteString(s)
}
