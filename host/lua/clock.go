package lua

import (
	"strconv"
	"strings"
	"time"

	glua "github.com/yuin/gopher-lua"
)

// openClock makes the functions of os that tell the time use the clock of the Config. They do what
// gopher-lua's do.
func (s *State) openClock() {
	c := clock{s.config.Now, s.config.Now()}
	s.library(glua.OsLibName, "clock").GFunction = c.elapsed
	s.library(glua.OsLibName, "time").GFunction = c.time
	s.library(glua.OsLibName, "date").GFunction = c.date
}

type clock struct {
	now   func() time.Time
	start time.Time
}

// elapsed is os.clock(): the seconds since the State was made.
func (c clock) elapsed(L *glua.LState) int {
	return push(L, glua.LNumber(c.now().Sub(c.start).Seconds()))
}

// time is os.time([table]).
func (c clock) time(L *glua.LState) int {
	if L.GetTop() == 0 || L.Get(1) == glua.LNil {
		return push(L, glua.LNumber(c.now().Unix()))
	}
	of := L.CheckTable(1)
	t := time.Date(field(of, "year", -1), time.Month(field(of, "month", -1)), field(of, "day", -1),
		field(of, "hour", 12), field(of, "min", 0), field(of, "sec", 0), 0, c.now().Location())
	return push(L, glua.LNumber(t.Unix()))
}

// field is a field of a date: a number, also as a text in decimal or hexadecimal form.
func field(of *glua.LTable, name string, absent int) int {
	switch v := of.RawGetString(name).(type) {
	case glua.LNumber:
		return int(v)
	case glua.LString:
		text := strings.TrimSpace(string(v))
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return int(n)
		}
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return int(n)
		}
		if n, err := strconv.ParseInt(text, 0, 64); err == nil {
			return int(n)
		}
	}
	return absent
}

// date is os.date([format [, time]]).
func (c clock) date(L *glua.LState) int {
	format, t := L.OptString(1, "%c"), c.now()
	if L.GetTop() > 1 {
		t = time.Unix(L.CheckInt64(2), 0).In(t.Location())
	}
	if rest := strings.TrimLeft(format, "!"); rest != format {
		format, t = rest, t.UTC()
	}
	if strings.HasPrefix(format, "*t") {
		return push(L, dateTable(L, t))
	}
	return push(L, glua.LString(formatDate(t, format)))
}

func dateTable(L *glua.LState, t time.Time) *glua.LTable {
	table := L.NewTable()
	parts := []int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), int(t.Weekday()) + 1, t.YearDay()}
	for i, name := range []string{"year", "month", "day", "hour", "min", "sec", "wday", "yday"} {
		table.RawSetString(name, glua.LNumber(parts[i]))
	}
	table.RawSetString("isdst", glua.LBool(t.IsDST()))
	return table
}

// formatDate replaces each % and the letter behind it.
func formatDate(t time.Time, format string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(format, "%")
		out.WriteString(before)
		switch {
		case !found:
			return out.String()
		case after == "":
			return out.String() + "%"
		}
		out.WriteString(datePart(t, after[:1]))
		format = after[1:]
	}
}

// dateLayouts are the forms of gopher-lua.
var dateLayouts = map[string]string{
	"a": "mon", "A": "Monday", "b": "Jan", "B": "January", "c": "02 Jan 06 15:04 MST", "d": "02", "F": "2006-01-02",
	"H": "15", "I": "03", "m": "01", "M": "04", "p": "PM", "P": "pm", "S": "05", "x": "15/04/05", "X": "15:04:05", "y": "06",
	"Y": "2006", "z": "-0700", "Z": "MST",
}

// datePart is what a letter behind a % stands for.
func datePart(t time.Time, letter string) string {
	layout, known := dateLayouts[letter]
	switch {
	case known:
		return t.Format(layout)
	case letter == "w":
		return strconv.Itoa(int(t.Weekday()))
	case letter == "%":
		return letter
	}
	return "%" + letter
}
