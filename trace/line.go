package trace

import (
	"strconv"

	"github.com/selvage-dev/selvage/fiber"
)

// line is a JSON object that is being written. None of its texts needs an escape.
type line []byte

func (l line) open(key, value string) line {
	l = append(l, `{"`...)
	l = append(l, key...)
	return append(append(append(l, `":"`...), value...), '"')
}

func (l line) key(k string) line {
	l = append(l, `,"`...)
	return append(append(l, k...), `":`...)
}

// text leaves out what is empty.
func (l line) text(k, v string) line {
	if v == "" {
		return l
	}
	return append(append(append(l.key(k), '"'), v...), '"')
}

func (l line) number(k string, v uint64) line { return strconv.AppendUint(l.key(k), v, 10) }

// flag leaves out what is not so.
func (l line) flag(k string, v bool) line {
	if !v {
		return l
	}
	return append(l.key(k), "true"...)
}

// fiber is the form of fiber.ID.String, which allocates.
func (l line) fiber(id fiber.ID) line {
	if id == 0 {
		return l
	}
	l = append(l.key("f"), '"', 'f')
	if id.IsTrampoline() {
		l[len(l)-1] = 't'
	}
	l = strconv.AppendUint(l, uint64(id.Index()), 10)
	l = strconv.AppendUint(append(l, '.'), uint64(id.Generation()), 10)
	return append(l, '"')
}

func (l line) by(t fiber.Time) line { return strconv.AppendInt(l.key("by"), int64(t), 10) }
