package lib

func runtimeNatives() map[string]Func {
	return map[string]Func{
		"runtime.Goexit":       func(c *Call) { c.Then = Goexit },
		"runtime.NumGoroutine": func(c *Call) { c.ReturnInt(c.Core.Inspect().Live()) },
	}
}
