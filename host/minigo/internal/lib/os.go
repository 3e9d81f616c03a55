package lib

import (
	"io"
	"strings"
)

func osNatives() map[string]Func {
	return map[string]Func{
		"os.Exit":      func(c *Call) { c.Then, c.Status = Exit, c.Int() },
		"os.args":      func(c *Call) { c.ReturnStrings(c.Args) },
		"os.LookupEnv": lookupEnv,
		"os.write": func(c *Call) {
			to := c.Stdout
			if c.Int() == 2 {
				to = c.Stderr
			}
			_, _ = io.WriteString(to, c.String()) // the program cannot receive the error
		},
	}
}

// lookupEnv finds the first variable of the name, as Go does.
func lookupEnv(c *Call) {
	name, value, found := c.String(), "", false
	for _, variable := range c.Env {
		c.Work += len(variable)
		if n, v, ok := strings.Cut(variable, "="); ok && n == name && name != "" {
			value, found = v, true
			break
		}
	}
	c.ReturnString(value)
	c.ReturnBool(found)
}
