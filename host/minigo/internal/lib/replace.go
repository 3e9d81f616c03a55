package lib

import (
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// fewReplaced is the work up to which a strings.Replacer of Go does it: the length of the string times
// that of the longest old one.
const fewReplaced = 16 * value.PieceBytes

// replace replaces a list of strings as a strings.Replacer does: at each place the first one of the
// list that is there.
func replace(c *Call) {
	pairs, s := c.texts(), c.String()
	longest, all := 1, 0
	for i, x := range pairs {
		if all += len(x); i%2 == 0 {
			longest = max(longest, len(x))
		}
	}
	if c.Over() {
		return
	}
	t := c.newText()
	if all+len(s) < value.PieceBytes && len(s)*longest < fewReplaced {
		c.Spend(all + len(s)*longest/16)
		if _, err := strings.NewReplacer(pairs...).WriteString(t, s); err == nil {
			c.returnText(t)
		} else {
			c.TooLong()
		}
		return
	}
	newReplacer(pairs).replace(t, s)
	c.returnText(t)
}

// WriteString is add, as the Replacer of Go calls it.
func (t *chunks) WriteString(s string) (int, error) {
	if t.add(s); t.size > maxJoined {
		return 0, errTooLong
	}
	return len(s), nil
}

// Write is WriteString.
func (t *chunks) Write(b []byte) (int, error) { return t.WriteString(string(b)) }

// replacer finds the strings of a list by their first bytes.
type replacer struct {
	pairs []string
	first [256][]int // the strings that begin with a byte, in their order
	empty int        // the empty string, len(pairs) if there is none
}

func newReplacer(pairs []string) *replacer {
	r := &replacer{pairs: pairs, empty: len(pairs)}
	for i := 0; i < len(pairs); i += 2 {
		if old := pairs[i]; old != "" {
			r.first[old[0]] = append(r.first[old[0]], i)
		} else {
			r.empty = min(r.empty, i)
		}
	}
	return r
}

// match is the first of the strings that is at the beginning of s, len(pairs) if none is.
func (r *replacer) match(p *value.Pace, s string, empty int) int {
	if s == "" {
		return empty
	}
	for _, i := range r.first[s[0]] {
		if i > empty {
			break
		}
		if p.Spend(16); value.HasPrefix(p, s, r.pairs[i]) {
			return i
		}
	}
	return empty
}

func (r *replacer) replace(t *chunks, s string) {
	from, empty := 0, r.empty
	for at := 0; at <= len(s) && !t.stuck(); {
		t.Spend(4)
		i := r.match(t.Pace, s[at:], empty)
		empty = r.empty
		if i == len(r.pairs) {
			at++
			continue
		}
		t.add(s[from:at])
		t.add(r.pairs[i+1])
		if from = at + len(r.pairs[i]); from == at {
			empty = len(r.pairs) // it is not there twice
		}
		at = from
	}
	t.add(s[from:])
}
