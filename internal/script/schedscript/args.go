package schedscript

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// args are the words of a command after its name, read from left to right. The first mistake is
// kept, and what is read after it means nothing: done decides whether the command may act.
type args struct {
	w     *world
	usage string
	words []string
	err   string
}

// none is the action of a command without arguments.
func none(do func(*world)) action {
	return func(w *world, a *args) {
		if a.done() {
			do(w)
		}
	}
}

// one is the action of a command with one argument.
func one[A any](first func(*args) A, do func(*world, A)) action {
	return func(w *world, a *args) {
		if x := first(a); a.done() {
			do(w, x)
		}
	}
}

// two is the action of a command with two arguments.
func two[A, B any](first func(*args) A, second func(*args) B, do func(*world, A, B)) action {
	return func(w *world, a *args) {
		x := first(a)
		if y := second(a); a.done() {
			do(w, x, y)
		}
	}
}

// three is the action of a command with three arguments.
func three[A, B, C any](first func(*args) A, second func(*args) B, third func(*args) C, do func(*world, A, B, C)) action {
	return func(w *world, a *args) {
		x, y := first(a), second(a)
		if z := third(a); a.done() {
			do(w, x, y, z)
		}
	}
}

// fail notes a mistake of the script, and how to correct it.
func (a *args) fail(format string, v ...any) {
	if a.err == "" {
		a.err = fmt.Sprintf(format, v...)
	}
}

// misuse is fail for words that the command does not have; the usage says how to correct it.
func (a *args) misuse(format string, v ...any) { a.fail(format+"; usage: %s", append(v, a.usage)...) }

// more is true if a word is left to read.
func (a *args) more() bool { return a.err == "" && len(a.words) > 0 }

// done is true if the words were right and all were read.
func (a *args) done() bool {
	if a.more() {
		a.misuse("%q is one word too many", a.words[0])
	}
	return a.err == ""
}

// word reads the next word.
func (a *args) word(what string) string {
	if a.err != "" {
		return ""
	}
	if len(a.words) == 0 {
		a.misuse("%s is missing", what)
		return ""
	}
	s := a.words[0]
	a.words = a.words[1:]
	return s
}

func value(a *args) string { return a.word("a value") }

// is reads the next word if it is this one.
func (a *args) is(word string) bool {
	if a.more() && a.words[0] == word {
		a.words = a.words[1:]
		return true
	}
	return false
}

// newName reads a name for something new.
func newName(what string) func(*args) string {
	return func(a *args) string { return a.newName(what) }
}

func (a *args) newName(what string) string {
	name := a.word("a name for " + what)
	switch had := a.w.named[name]; {
	case a.err != "":
	case !isName(name):
		a.fail("%q is no name; want letters, digits, - and _, a letter first", name)
	case reserved(name):
		a.fail("%q is a word of the language; choose another name", name)
	case had != nil:
		a.fail("the name %s is taken by %s; a name means one thing until the next new", name, kindOf(had))
	}
	return name
}

func isName(s string) bool {
	for i, r := range s {
		if !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r) && r != '-' && r != '_') {
			return false
		}
	}
	return s != "" && len(s) <= 60
}

func reserved(s string) bool {
	switch s {
	case "front", "frames", "joinable", "main", "as", "on", "by", "external", "default", "all", "queue", "io", "timer":
		return true
	}
	return false
}

// number reads a count from 0.
func (a *args) number(what string) int {
	s := a.word(what)
	n, err := strconv.ParseUint(s, 0, 31)
	if err != nil {
		a.fail("%q is no number for %s; want 0 to 2147483647", s, what)
	}
	return int(n)
}

// numberOr reads an optional number.
func (a *args) numberOr(what string, usual int) int {
	if a.more() {
		return a.number(what)
	}
	return usual
}

// duration reads a length of time.
func (a *args) duration() time.Duration {
	s := a.word("a length of time")
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		a.fail("%q is no length of time; want 0 or more with a unit, as in 2s or 10ms", s)
	}
	return d
}

// instant reads a length of time and is the instant that much later.
func (a *args) instant() fiber.Time {
	t, err := wait.Deadline(a.w.s.Now(), a.duration())
	if err != nil {
		a.fail("%v", err)
	}
	return t
}

// by reads an optional deadline for a wait.
func (a *args) by(r fiber.Reason) fiber.Reason {
	if a.is("by") {
		return r.WithDeadline(a.instant())
	}
	return r
}

// queueWait reads the optional deadline of a wait on an object.
func (a *args) queueWait() fiber.Reason { return a.by(fiber.OnQueue()) }

// cause reads an optional cause of a cancel or kill: the rest of the line.
func (a *args) cause() error {
	if !a.more() {
		return nil
	}
	text := strings.Join(a.words, " ")
	a.words = nil
	return guestError(text)
}

// guestError is an error that a script made up.
type guestError string

func (e guestError) Error() string { return string(e) }
