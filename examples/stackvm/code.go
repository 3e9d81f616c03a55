package main

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// Limits of one piece of code: frames of words, and values on its stack.
const (
	maxFrames = 10_000
	maxData   = 1_000_000
)

// code is code of the program that executes: a fiber's, or a callee's of native code. Between two
// slices it is the complete state of that execution.
type code struct {
	vm     *machine
	frames []frame
	data   []value
	then   func() error  // continues a word that has waited
	ticket fiber.Ticket  // of its wait
	out    fiber.Outcome // ends the slice behind this word, unless its Kind is 0
}

// frame is a word and its next instruction.
type frame struct {
	word *word
	next int
}

// call makes code that executes a word.
func (m *machine) call(w *word, data ...value) *code {
	return &code{vm: m, frames: []frame{{word: w}}, data: data}
}

// execute executes one instruction.
func (c *code) execute() error {
	f := &c.frames[len(c.frames)-1]
	if f.next == len(f.word.code) {
		c.frames = c.frames[:len(c.frames)-1]
		return nil
	}
	f.next++
	return f.word.code[f.next-1].do(c)
}

func (c *code) enter(w *word) error {
	if len(c.frames) == maxFrames {
		return errors.New("words call each other too deeply")
	}
	c.frames = append(c.frames, frame{word: w})
	return nil
}

func (c *code) push(values ...value) error {
	if len(c.data)+len(values) > maxData {
		return errors.New("the stack is full")
	}
	c.data = append(c.data, values...)
	return nil
}

// pop takes n values off the stack, in the order in which they were pushed.
func (c *code) pop(n int) ([]value, error) {
	if n < 0 || n > len(c.data) {
		return nil, fmt.Errorf("want %d values on the stack, which has %d", n, len(c.data))
	}
	values := c.data[len(c.data)-n:]
	c.data = c.data[:len(c.data)-n]
	return values, nil
}

// top is the value on top of the stack, 0 if there is none.
func (c *code) top() value {
	if len(c.data) == 0 {
		return 0
	}
	return c.data[len(c.data)-1]
}

// site is the line of the instruction that executes.
func (c *code) site() string {
	if len(c.frames) == 0 {
		return c.vm.program.name
	}
	f := c.frames[len(c.frames)-1]
	if len(f.word.code) == 0 {
		return c.vm.program.name
	}
	return fmt.Sprintf("%s:%d", c.vm.program.name, f.word.code[max(f.next-1, 0)].line)
}
