package lib

import "io"

func osNatives() map[string]Func {
	return map[string]Func{
		"os.Exit": func(c *Call) { c.Then, c.Status = Exit, c.Int() },
		"os.args": func(c *Call) { c.ReturnStrings(c.Args) },
		"os.write": func(c *Call) {
			to := c.Stdout
			if c.Int() == 2 {
				to = c.Stderr
			}
			_, _ = io.WriteString(to, c.String()) // the program cannot receive the error
		},
	}
}
