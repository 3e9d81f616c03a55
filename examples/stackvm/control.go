package main

import "fmt"

// open is an instruction that a later word of the text completes, or jumps back to.
type open struct {
	kind string
	at   int
	to   func(target int) primitive // makes the instruction; nil for a begin
}

func jump(target int) primitive {
	return func(c *code) error {
		c.frames[len(c.frames)-1].next = target
		return nil
	}
}

// unless takes a flag off the stack, and jumps if it is false.
func unless(target int) primitive {
	return one(func(c *code, flag int) error {
		if flag != 0 {
			return nil
		}
		return jump(target)(c)
	})
}

// control compiles branches and loops: flag if … else … then, and begin … flag until.
func (c *compiler) control(name string) error {
	switch name {
	case "if":
		c.begin("if", unless)
	case "else":
		at, err := c.end("if")
		if err != nil {
			return err
		}
		c.begin("if", jump)
		c.into.code[at.at].do = at.to(len(c.into.code))
	case "then":
		at, err := c.end("if")
		if err != nil {
			return err
		}
		c.into.code[at.at].do = at.to(len(c.into.code))
	case "begin":
		c.open = append(c.open, open{kind: "begin", at: len(c.into.code)})
	case "until":
		at, err := c.end("begin")
		if err != nil {
			return err
		}
		c.emit(unless(at.at))
	}
	return nil
}

// begin emits an instruction that is completed later.
func (c *compiler) begin(kind string, to func(int) primitive) {
	c.open = append(c.open, open{kind, len(c.into.code), to})
	c.emit(nil)
}

// end is the innermost open instruction, which is open no longer.
func (c *compiler) end(kind string) (open, error) {
	last := len(c.open) - 1
	if last < 0 || c.open[last].kind != kind {
		return open{}, fmt.Errorf("no %s is open here", kind)
	}
	found := c.open[last]
	c.open = c.open[:last]
	return found, nil
}
