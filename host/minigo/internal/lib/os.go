package lib

import (
	"io"
	"strings"
)

func osNatives() map[string]Func {
	return map[string]Func{
		"os.LookupEnv": lookupEnv,
		"os.Exit":      func(c *Call) { c.Then, c.Status = Exit, c.Int() },
		"os.args": func(c *Call) {
			c.ReturnStrings(len(c.Args), func(list []any) {
				for i, arg := range c.Args {
					list[i] = c.Substring(arg)
				}
			})
		},
		"os.write": func(c *Call) {
			to := c.Stdout
			if c.Int() == 2 {
				to = c.Stderr
			}
			c.write(to, c.String())
		},
	}
}

// lookupEnv finds the first variable of the name, as Go does.
func lookupEnv(c *Call) {
	name, value, found := c.String(), "", false
	for _, variable := range c.Env {
		c.Spend(len(variable))
		if n, v, ok := strings.Cut(variable, "="); ok && n == name && name != "" {
			value, found = v, true
			break
		}
	}
	c.ReturnString(value)
	c.ReturnBool(found)
}

// write writes to an output; the program cannot receive the error.
func (c *Call) write(to io.Writer, s string) {
	for s != "" && c.Then == GoOn {
		part := s[:min(len(s), maxWritten)]
		if !c.Effect(len(part)) {
			return
		}
		c.Progress(len(part))
		c.Output(to, part)
		s = s[len(part):]
	}
}

// maxWritten is how much is written at once.
const maxWritten = 1 << 20
