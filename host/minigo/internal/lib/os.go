package lib

func osNatives() map[string]Func {
	return map[string]Func{
		"os.Exit": func(c *Call) { c.Then, c.Status = Exit, c.Int() },
		"os.args": func(c *Call) { c.ReturnStrings(c.Args) },
	}
}
