package main

import (
	"fmt"
	"strconv"
	"strings"
)

// registers is how many an execution has. The arguments of its function are in the first.
const registers = 16

// function is a function of the guest.
type function struct {
	name string
	line []int  // of the program, by instruction
	code []code // by instruction
}

func (f *function) String() string { return f.name }

// label is a place in a function.
type label struct {
	in *function
	pc int
}

// assemble makes the machine code of a program and returns its function main. An instruction is a
// line such as: r1 = add r2 5
// A text has no blanks.
func assemble(file, text string) (*function, error) {
	var fn *function
	names, lines := map[string]value{}, strings.Split(text, "\n")
	words, owner := make([][]string, len(lines)), make([]*function, len(lines))
	for i, line := range lines {
		line, _, _ = strings.Cut(line, ";")
		if words[i] = strings.Fields(line); len(words[i]) == 0 {
			continue
		}
		name, isLabel := strings.CutSuffix(words[i][0], ":")
		switch isFunc := name == "func" && len(words[i]) == 2; {
		case isFunc:
			fn, name = &function{name: words[i][1]}, words[i][1]
		case fn == nil:
			return nil, fmt.Errorf("%s:%d: want func NAME", file, i+1)
		case !isLabel:
			owner[i], fn.line = fn, append(fn.line, i+1)
			continue
		}
		if names[name] != nil {
			return nil, fmt.Errorf("%s:%d: a second %s", file, i+1, name)
		}
		if names[name] = fn; isLabel {
			names[name] = label{fn, len(fn.line)}
		}
	}
	ops := operations()
	for i, fn := range owner {
		if fn != nil {
			code, err := compile(words[i], ops, names)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
			}
			fn.code = append(fn.code, code)
		}
	}
	main, ok := names["main"].(*function)
	if !ok {
		return nil, fmt.Errorf("%s: no func main", file)
	}
	return main, nil
}

// code is machine code of one instruction, with its operands bound. An error is a failure of the guest.
type code func(c *execution) error

func compile(words []string, ops map[string]operation, names map[string]value) (code, error) {
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
		if loads[i] = operand(word, names); loads[i] == nil {
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
func operand(word string, names map[string]value) func(c *execution) value {
	v, ok := names[word]
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
