package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// registers is how many an execution has. The arguments of its function are in the first.
const registers = 16

// function is a function of the guest.
type function struct {
	name  string
	lines []line
	code  []code // the machine code of each line
}

// line is an instruction such as: r1 = add r2 5
type line struct {
	number int
	words  []string // a text has no blanks
}

// label is a place in a function.
type label struct {
	in *function
	pc int
}

// assembler knows what it has read of a program.
type assembler struct {
	functions []*function
	names     map[string]value // functions and labels
}

// assemble makes the machine code of a program and returns its function main.
func assemble(file, text string) (*function, error) {
	a := &assembler{names: map[string]value{}}
	for i, text := range strings.Split(text, "\n") {
		text, _, _ = strings.Cut(text, ";")
		if err := a.read(line{i + 1, strings.Fields(text)}); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	ops := operations()
	for _, fn := range a.functions {
		if len(fn.lines) == 0 {
			return nil, fmt.Errorf("%s: func %s has no instruction", file, fn.name)
		}
		for _, l := range fn.lines {
			code, err := a.compile(l.words, ops)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, l.number, err)
			}
			fn.code = append(fn.code, code)
		}
	}
	main, ok := a.names["main"].(*function)
	if !ok {
		return nil, fmt.Errorf("%s: no func main", file)
	}
	return main, nil
}

func (a *assembler) read(l line) error {
	if len(l.words) == 0 {
		return nil
	}
	name, isLabel := strings.CutSuffix(l.words[0], ":")
	if name == "func" && len(l.words) == 2 {
		fn := &function{name: l.words[1]}
		a.functions = append(a.functions, fn)
		return a.define(fn.name, fn)
	}
	if len(a.functions) == 0 {
		return errors.New("want func NAME")
	}
	fn := a.functions[len(a.functions)-1]
	if isLabel {
		return a.define(name, label{fn, len(fn.lines)})
	}
	fn.lines = append(fn.lines, l)
	return nil
}

func (a *assembler) define(name string, v value) error {
	if a.names[name] != nil {
		return fmt.Errorf("a second %s", name)
	}
	a.names[name] = v
	return nil
}

// code is machine code of one instruction, with its operands bound. An error is a failure of the guest.
type code func(c *execution) error

func (a *assembler) compile(words []string, ops map[string]operation) (code, error) {
	dst := -1
	if len(words) > 2 && words[1] == "=" {
		if dst = register(words[0]); dst < 0 {
			return nil, fmt.Errorf("no register: %s", words[0])
		}
		words = words[2:]
	}
	do, loads := ops[words[0]], make([]func(c *execution) value, len(words)-1)
	if do == nil || len(loads) > registers {
		return nil, fmt.Errorf("no such instruction: %s", strings.Join(words, " "))
	}
	for i, word := range words[1:] {
		if loads[i] = a.operand(word); loads[i] == nil {
			return nil, fmt.Errorf("no register, number, text or name: %s", word)
		}
	}
	return func(c *execution) error {
		args := make([]value, len(loads))
		for i, load := range loads {
			args[i] = load(c)
		}
		c.dst = dst
		v, err := do(c, args)
		c.store(v)
		return err
	}, nil
}

// operand reads a register, or is a constant of the machine code; nil if the word is neither.
func (a *assembler) operand(word string) func(c *execution) value {
	v, ok := a.names[word]
	if r := register(word); r >= 0 {
		return func(c *execution) value { return c.regs[r] }
	} else if n, err := strconv.Atoi(word); err == nil {
		v, ok = n, true
	} else if text, err := strconv.Unquote(word); err == nil {
		v, ok = text, true
	}
	if !ok {
		return nil
	}
	return func(*execution) value { return v }
}

func register(word string) int {
	number, is := strings.CutPrefix(word, "r")
	if n, err := strconv.ParseUint(number, 10, 8); is && err == nil && n < registers {
		return int(n)
	}
	return -1
}
