package timeline

import (
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"
)

// object appends JSON objects to a text, field by field.
type object struct {
	text []byte
	more bool // the object has a field
}

func (o *object) open() { o.text, o.more = append(o.text, '{'), false }

func (o *object) close() { o.text, o.more = append(o.text, '}'), true }

// field begins a field, whose name is one of this package's.
func (o *object) field(name string) {
	if o.more {
		o.text = append(o.text, ',')
	}
	o.more = true
	o.text = append(append(append(o.text, '"'), name...), '"', ':')
}

// some appends a text, or nothing if there is none.
func (o *object) some(name, value string) {
	if value != "" {
		o.field(name)
		o.text = appendString(o.text, value)
	}
}

func (o *object) number(name string, value uint64) {
	o.field(name)
	o.text = strconv.AppendUint(o.text, value, 10)
}

// instant appends microseconds, with as many digits as nanoseconds need.
func (o *object) instant(name string, value time.Duration) {
	n := uint64(max(value, 0))
	o.number(name, n/1000)
	if rest := n % 1000; rest != 0 {
		o.text = append(o.text, '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
	}
}

// appendString appends a text of a guest, which may be any bytes.
func appendString(to []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, _ := json.Marshal(text) // a string has no error
			return append(to, quoted...)
		}
	}
	return append(append(append(to, '"'), text...), '"')
}
