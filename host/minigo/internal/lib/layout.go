package lib

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// flagChars are the flags as they are written, in the order of flags.
const flagChars = "+-# 0"

// flags are the flags between a % and its verb. With v, + and # have other meanings and are
// recorded in plusV and sharpV.
type flags struct {
	plus, minus, sharp, space, zero, plusV, sharpV bool
	width, precision                               int
	hasWidth, hasPrecision                         bool
}

// layout is a directive for the host's fmt that has these flags.
func (f *flags) layout(verb rune) string {
	if *f == (flags{}) {
		return "%" + string(verb)
	}
	b := []byte{'%'}
	for i, set := range [...]bool{f.plus || f.plusV, f.minus, f.sharp || f.sharpV, f.space, f.zero} {
		if set {
			b = append(b, flagChars[i])
		}
	}
	if f.hasWidth {
		b = strconv.AppendInt(b, int64(f.width), 10)
	}
	if f.hasPrecision {
		b = strconv.AppendInt(append(b, '.'), int64(f.precision), 10)
	}
	return string(utf8.AppendRune(b, verb))
}

// directives goes through the layout of a Printf.
type directives struct {
	*printer
	layout    string
	i         int
	arg       int
	reordered bool // an argument was selected by its number
	indexed   bool // by the current directive
	good      bool
}

func (p *printer) printf(layout string) {
	d := &directives{printer: p, layout: layout}
	for d.i < len(layout) && !p.stopped() {
		rest := layout[d.i:min(len(layout), d.i+value.PieceBytes)]
		if text, _, _ := strings.Cut(rest, "%"); text != "" {
			p.write(text)
			d.i += len(text)
			continue
		}
		d.i++
		d.directive()
	}
	if !d.reordered && d.arg < p.args.Len {
		d.extra()
	}
}

// extra reports arguments that no directive has used.
func (d *directives) extra() {
	d.flags = flags{}
	d.write("%!(EXTRA ")
	for i := d.arg; i < d.args.Len && !d.stopped(); i++ {
		if i > d.arg {
			d.write(", ")
		}
		v := d.args.Interface(d.ts, i)
		if v.T != nil {
			d.write(v.T.Name + "=")
		}
		d.argument('v', v)
	}
	d.write(")")
}

func (d *directives) directive() {
	d.good, d.indexed = true, false
	d.readFlags()
	d.index()
	d.readWidth()
	d.readPrecision()
	if !d.indexed {
		d.index()
	}
	if d.i >= len(d.layout) {
		d.write("%!(NOVERB)")
		return
	}
	verb, size := utf8.DecodeRuneInString(d.layout[d.i:])
	d.i += size
	switch {
	case verb == '%':
		d.write("%")
	case !d.good:
		d.write("%!" + string(verb) + "(BADINDEX)")
	case d.arg >= d.args.Len:
		d.write("%!" + string(verb) + "(MISSING)")
	default:
		d.apply(verb)
	}
}

// apply uses the next argument.
func (d *directives) apply(verb rune) {
	if verb == 'v' || verb == 'w' {
		d.plusV, d.sharpV, d.plus, d.sharp = d.plus, d.sharp, false, false
	}
	if verb == 'w' {
		d.wrapped = append(d.wrapped, d.arg)
	}
	d.argument(verb, d.args.Interface(d.ts, d.arg))
	d.arg++
}

func (d *directives) readFlags() {
	d.flags = flags{}
	for ; d.i < len(d.layout); d.i++ {
		flag := strings.IndexByte(flagChars, d.layout[d.i])
		if flag < 0 {
			return
		}
		*[...]*bool{&d.plus, &d.minus, &d.sharp, &d.space, &d.zero}[flag] = true
	}
}

// next reports whether the next byte is this one, and consumes it.
func (d *directives) next(b byte) bool {
	if d.i >= len(d.layout) || d.layout[d.i] != b {
		return false
	}
	d.i++
	return true
}

// index reads [n], which selects an argument.
func (d *directives) index() {
	d.indexed = false
	if d.i >= len(d.layout) || d.layout[d.i] != '[' {
		return
	}
	d.reordered = true
	inside, _, closed := strings.Cut(d.layout[d.i+1:], "]")
	if !closed {
		d.i++
		d.good = false
		return
	}
	d.i += len(inside) + 2
	n, err := strconv.ParseUint(inside, 10, 31)
	d.indexed = err == nil && n <= maxWidth
	if !d.indexed || n == 0 || int(n) > d.args.Len {
		d.good = false
		return
	}
	d.arg = int(n) - 1
}

func (d *directives) readWidth() {
	if !d.next('*') {
		d.width, d.hasWidth = d.number()
		d.good = d.good && !(d.indexed && d.hasWidth)
		return
	}
	if d.width, d.hasWidth = d.star(); !d.hasWidth {
		d.write("%!(BADWIDTH)")
	}
	if d.width < 0 {
		d.width, d.minus, d.zero = -d.width, true, false
	}
}

func (d *directives) readPrecision() {
	if d.i+1 >= len(d.layout) || !d.next('.') {
		return
	}
	d.good = d.good && !d.indexed
	d.index()
	if !d.next('*') {
		d.precision, _ = d.number()
		d.hasPrecision = true
		return
	}
	if d.precision, d.hasPrecision = d.star(); d.precision < 0 {
		d.precision, d.hasPrecision = 0, false
	}
	if !d.hasPrecision {
		d.write("%!(BADPREC)")
	}
}

// maxWidth is the largest width, or precision, that Go's fmt accepts.
const maxWidth = 1_000_000

// number reads a number; after one that is too large it reads nothing more.
func (d *directives) number() (n int, ok bool) {
	for ; d.i < len(d.layout) && d.layout[d.i] >= '0' && d.layout[d.i] <= '9'; d.i++ {
		if n > maxWidth {
			d.i = len(d.layout)
			return 0, false
		}
		n, ok = 10*n+int(d.layout[d.i]-'0'), true
	}
	return n, ok
}

// star reads a number from an argument.
func (d *directives) star() (int, bool) {
	d.indexed = false
	if d.arg >= d.args.Len {
		return 0, false
	}
	v := d.args.Interface(d.ts, d.arg)
	d.arg++
	if v.T == nil || !v.T.Kind.Integer() {
		return 0, false
	}
	n, _ := v.Parts(v.T)
	x := int64(n[0])
	if !v.T.Kind.Signed() && n[0] > math.MaxInt64 || x > maxWidth || x < -maxWidth {
		return 0, false
	}
	return int(x), true
}
