package vm

import (
	"strings"

	glua "github.com/yuin/gopher-lua"
)

const tooLarge = "resulting string too large"

// Text builds a string of a program from parts. It pays for each byte, so the time slice of L may end
// inside any call, and it raises an error instead of making a string of more than MaxString bytes. Its
// room counts as memory of the program until Close.
type Text struct {
	m   *Meter
	L   *glua.LState
	out strings.Builder

	building *int64 // what the texts of the routine have room for
	room     int
}

// NewText makes an empty Text with room for n bytes: the length of the result where it is known. The
// caller closes it, also when it unwinds.
func (m *Meter) NewText(L *glua.LState, n int) *Text {
	t := &Text{m: m, L: L, building: m.Building}
	t.Reserve(n)
	return t
}

// Len is the number of bytes so far.
func (t *Text) Len() int { return t.out.Len() }

// Reserve makes room for n more bytes.
func (t *Text) Reserve(n int) {
	need := t.out.Len() + n
	t.m.expect(need)
	if need > MaxString {
		t.L.RaiseError(tooLarge)
	}
	room := t.out.Cap()
	if need <= room {
		return
	}
	larger := min(max(need, 2*room), MaxString)
	t.m.Alloc(int64(larger))
	soFar := t.out.String()
	t.out.Reset()
	t.out.Grow(larger)
	t.hold(larger)
	t.copied(soFar)
}

// Add appends a part.
func (t *Text) Add(part string) {
	t.Reserve(len(part))
	t.copied(part)
}

func (t *Text) copied(part string) {
	for part != "" {
		n := t.m.GrantBytes(len(part))
		t.out.WriteString(part[:n])
		part = part[n:]
	}
}

// hold counts the present room instead of the room before.
func (t *Text) hold(room int) {
	if t.building != nil {
		*t.building += int64(room - t.room)
		t.room = room
	}
}

// Close ends the count of the room: the program has the text, or it is garbage.
func (t *Text) Close() { t.hold(0) }

// String is the text so far.
func (t *Text) String() string {
	t.m.counted += int64(t.out.Len())
	return t.out.String()
}
