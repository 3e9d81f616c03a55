package lua

import (
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// find is string.find.
func (s *State) find(L *glua.LState) int {
	text, of := L.CheckString(1), L.CheckString(2)
	if of == "" {
		return push(L, glua.LNumber(1), glua.LNumber(0))
	}
	from := start(L, text)
	if L.GetTop() == 4 && glua.LVAsBool(L.Get(4)) {
		at := s.index(text, of, from)
		if at < 0 {
			return push(L, glua.LNil)
		}
		return push(L, glua.LNumber(at+1), glua.LNumber(at+len(of)))
	}
	found := s.search(L, text, of, from)
	if !next(L, found) {
		return push(L, glua.LNil)
	}
	push(L, glua.LNumber(found.Start+1), glua.LNumber(found.End))
	if len(found.Captures) == 0 {
		return 2
	}
	return 2 + pushCaptures(L, s.meter, &found.Match)
}

// match is string.match. As in gopher-lua it has no result if there is no match.
func (s *State) match(L *glua.LState) int {
	text, of := L.CheckString(1), L.CheckString(2)
	found := s.search(L, text, of, start(L, text))
	if !next(L, found) {
		return 0
	}
	return pushCaptures(L, s.meter, &found.Match)
}

// start is where a search begins: argument 3, moved into the text or to its end. It counts from 0.
func start(L *glua.LState, text string) int {
	at, isNumber := L.Get(3).(glua.LNumber)
	if !isNumber {
		at = glua.LNumber(L.OptInt(3, 1))
	}
	n := glua.LNumber(len(text))
	switch {
	case at > n:
		return len(text)
	case at >= 1:
		return int(at) - 1
	case at < 0 && at >= -n:
		return len(text) + int(at)
	}
	return 0 // also for NaN
}

// probe is how many bytes of a plain text are searched for at once; the others are compared.
const probe = 1 << 12

// index is strings.Index from a byte on, and pays for the bytes that it reads.
func (s *State) index(text, of string, from int) int {
	first, rest := of, ""
	if len(of) > probe {
		first, rest = of[:probe], of[probe:]
	}
	for last := len(text) - len(of); from <= last; {
		n := s.meter.GrantBytes(last - from + 1)
		i := strings.Index(text[from:from+n+len(first)-1], first)
		if i < 0 {
			from += n
			continue
		}
		at := from + i + len(first)
		if rest == "" || s.meter.Equal(text[at:at+len(rest)], rest) {
			return from + i
		}
		from += i + 1
	}
	return -1
}
