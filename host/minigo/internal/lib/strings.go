package lib

import (
	"errors"
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

func stringsNatives() map[string]Func {
	table := map[string]Func{
		"strings.Compare":       func(c *Call) { c.ReturnInt(strings.Compare(c.String(), c.String())) },
		"strings.ContainsRune":  func(c *Call) { c.ReturnBool(strings.ContainsRune(c.String(), rune(c.Int()))) },
		"strings.IndexByte":     func(c *Call) { c.ReturnInt(strings.IndexByte(c.String(), byte(c.Int()))) },
		"strings.IndexRune":     func(c *Call) { c.ReturnInt(strings.IndexRune(c.String(), rune(c.Int()))) },
		"strings.LastIndexByte": func(c *Call) { c.ReturnInt(strings.LastIndexByte(c.String(), byte(c.Int()))) },
		"strings.Fields":        func(c *Call) { c.ReturnStrings(strings.Fields(c.String())) },
		"strings.Join":          join,
		"strings.repeat":        repeat,
		"strings.Replace":       func(c *Call) { c.replaceN(c.String(), c.String(), c.String(), c.Int()) },
		"strings.ReplaceAll":    func(c *Call) { c.replaceN(c.String(), c.String(), c.String(), -1) },
		"strings.SplitN":        func(c *Call) { c.ReturnStrings(strings.SplitN(c.String(), c.String(), c.Int())) },
		"strings.SplitAfterN":   func(c *Call) { c.ReturnStrings(strings.SplitAfterN(c.String(), c.String(), c.Int())) },
		"strings.replace":       replace,
	}
	for name, f := range map[string]func(string, string) bool{
		"Contains": strings.Contains, "ContainsAny": containsAny, "EqualFold": strings.EqualFold,
		"HasPrefix": strings.HasPrefix, "HasSuffix": strings.HasSuffix,
	} {
		table["strings."+name] = func(c *Call) { c.ReturnBool(f(c.String(), c.String())) }
	}
	for name, f := range map[string]func(string, string) int{
		"Count": strings.Count, "Index": strings.Index, "IndexAny": indexAny,
		"LastIndex": strings.LastIndex, "LastIndexAny": lastIndexAny,
	} {
		table["strings."+name] = func(c *Call) { c.ReturnInt(f(c.String(), c.String())) }
	}
	for name, f := range map[string]func(string, string) []string{"Split": strings.Split, "SplitAfter": strings.SplitAfter} {
		table["strings."+name] = func(c *Call) { c.ReturnStrings(f(c.String(), c.String())) }
	}
	for name, f := range map[string]func(string, string) string{
		"Trim": trim, "TrimLeft": trimLeft, "TrimRight": trimRight,
		"TrimPrefix": strings.TrimPrefix, "TrimSuffix": strings.TrimSuffix,
	} {
		table["strings."+name] = func(c *Call) { c.ReturnString(f(c.String(), c.String())) }
	}
	for name, f := range map[string]func(string) string{
		"ToLower": strings.ToLower, "ToUpper": strings.ToUpper, "ToTitle": strings.ToTitle, "TrimSpace": strings.TrimSpace,
	} {
		table["strings."+name] = func(c *Call) { c.ReturnString(f(c.String())) }
	}
	builderNatives(table)
	return table
}

// maxString is the length of the longest string that one native function makes.
const maxString = 1 << 28

// maxJoined is the length of the longest string that a native function joins from others.
const maxJoined = 1 << 30

func (c *Call) texts() []string {
	s := c.Slice()
	list := make([]string, s.Len)
	for i := range list {
		list[i] = s.String(i)
	}
	return list
}

func join(c *Call) {
	list, sep := c.texts(), c.String()
	size := int64(len(sep)) * int64(len(list))
	for _, s := range list {
		if size += int64(len(s)); size > maxJoined {
			break
		}
	}
	if size > maxJoined {
		c.TooLong()
		return
	}
	c.ReturnString(strings.Join(list, sep))
}

func repeat(c *Call) {
	s, n := c.String(), c.Int()
	if n > 0 && len(s) > maxString/n {
		c.Then, c.Err = Throw, errors.New("strings: Repeat output length overflow")
		return
	}
	c.ReturnString(strings.Repeat(s, n))
}

// builderNatives are the methods of strings.Builder, whose one field holds the host's.
func builderNatives(table map[string]Func) {
	builder := func(c *Call) *strings.Builder {
		o, ok := c.Ref().(*value.Object)
		if !ok {
			c.Fail("invalid memory address or nil pointer dereference")
			return &strings.Builder{}
		}
		b, _ := o.R[0].(*strings.Builder)
		if b == nil {
			b = &strings.Builder{}
			o.R[0] = b
		}
		return b
	}
	table["strings.Builder.write"] = func(c *Call) {
		s := c.String()
		switch b := builder(c); {
		case c.Then != GoOn:
		case len(s) > maxJoined-b.Len():
			c.TooLong()
		default:
			b.WriteString(s)
		}
	}
	table["strings.Builder.String"] = func(c *Call) { c.ReturnString(builder(c).String()) }
	table["strings.Builder.Len"] = func(c *Call) { c.ReturnInt(builder(c).Len()) }
	table["strings.Builder.Reset"] = func(c *Call) { builder(c).Reset() }
}
