package fibers

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// input is the standard input. A read of it blocks its fiber only; reads take turns.
type input struct {
	file   *glua.LUserData // io.stdin
	lock   *wait.Mutex
	buf    *bufio.Reader
	stream *fiberio.Reader
	reader *stackful.Fiber // has the lock
}

// Read is for buf.
func (in *input) Read(p []byte) (int, error) { return in.stream.Read(in.reader, p, fiber.Never) }

// openInput makes the functions that read from io.stdin wait as fibers. They are changed in
// place; any other file is gopher-lua's.
func (h *Host) openInput() {
	L := h.state.Base()
	lib := L.GetGlobal("io")
	methods := L.GetField(L.GetTypeMetatable("FILE*"), "__index")
	in := &input{file: L.GetField(lib, "stdin").(*glua.LUserData), lock: wait.NewMutex(wait.HandOn)}
	in.lock.SetName("the standard input")
	in.buf = bufio.NewReader(in)
	h.outside.input = in
	h.redirect(L.GetField(lib, "read"), defaultInput, func(L *glua.LState) int { return h.readInput(L, 1) })
	h.redirect(L.GetField(lib, "lines"), linesInput, h.inputLines)
	h.redirect(L.GetField(methods, "read"), first, func(L *glua.LState) int { return h.readInput(L, 2) })
	h.redirect(L.GetField(methods, "lines"), first, h.inputLines)
}

// redirect makes a function act if it is a fiber's call about the standard input.
func (h *Host) redirect(fn glua.LValue, of func(*glua.LState) glua.LValue, act glua.LGFunction) {
	f := fn.(*glua.LFunction)
	native := f.GFunction
	f.GFunction = func(L *glua.LState) int {
		if of(L) == h.outside.input.file && h.caller(L) != nil {
			return act(L)
		}
		return native(L)
	}
}

func first(L *glua.LState) glua.LValue { return L.Get(1) }

// defaultInput is what io.input() returns: the io functions have it as the second entry of
// their first upvalue.
func defaultInput(L *glua.LState) glua.LValue {
	if files, ok := L.Get(glua.UpvalueIndex(1)).(*glua.LTable); ok {
		return files.RawGetInt(2)
	}
	return glua.LNil
}

// linesInput is that of io.lines, which is of a file if it is given one.
func linesInput(L *glua.LState) glua.LValue {
	if L.GetTop() > 0 {
		return glua.LNil
	}
	return defaultInput(L)
}

// beginInput has the input for the fiber that calls, which is to unlock it.
func (h *Host) beginInput(L *glua.LState) *carrier {
	c, in := h.self(L), h.outside.input
	if in.stream == nil {
		in.stream = h.stdin(L)
	}
	h.check(L, c.back(c.fiber.Lock(in.lock)))
	in.reader = c.fiber
	return c
}

func (h *Host) stdin(L *glua.LState) *fiberio.Reader {
	if h.cfg.Stdin != nil {
		return h.world(L).NewReader(h.cfg.Stdin, "the standard input")
	}
	return h.world(L).Stdin()
}

// readInput is io.read(...) and io.stdin:read(...), with the formats from the given
// argument on.
func (h *Host) readInput(L *glua.LState, from int) int {
	formats := copied(L, from)
	if len(formats) == 0 {
		formats = []glua.LValue{glua.LString("*l")}
	}
	for i, format := range formats {
		if _, number := format.(glua.LNumber); !number && !slices.Contains([]string{"*l", "*a", "*n"}, word(format)) {
			L.ArgError(from+i, "invalid format "+word(format))
		}
	}
	c, in := h.beginInput(L), h.outside.input
	results, err := in.readAll(formats)
	h.check(L, c.back(c.fiber.Unlock(in.lock)))
	if err = c.back(err); err != nil {
		L.Push(glua.LNil)
		L.Push(glua.LString(err.Error()))
		L.Push(glua.LNumber(1))
		return 3
	}
	for _, v := range results {
		L.Push(v)
	}
	return len(results)
}

// readAll reads what the formats say, up to the first that finds the end: that is nil.
func (in *input) readAll(formats []glua.LValue) (results []glua.LValue, err error) {
	for _, format := range formats {
		v, err := in.readOne(format)
		if err == io.EOF {
			return append(results, glua.LNil), nil
		}
		if err != nil {
			return nil, err
		}
		results = append(results, v)
	}
	return results, nil
}

func (in *input) readOne(format glua.LValue) (glua.LValue, error) {
	if n, ok := format.(glua.LNumber); ok {
		return in.readBytes(int64(n))
	}
	switch word(format) {
	case "*a":
		all, err := io.ReadAll(in.buf)
		return glua.LString(all), err
	case "*n":
		var n glua.LNumber
		_, err := fmt.Fscanf(in.buf, glua.LNumberScanFormat, &n)
		return n, err
	}
	line, err := in.readLine()
	return glua.LString(line), err
}

// readBytes reads as many, or fewer at the end; none only tells whether it is there.
func (in *input) readBytes(n int64) (glua.LValue, error) {
	if n <= 0 {
		_, err := in.buf.Peek(1)
		return glua.LString(""), err
	}
	data, err := io.ReadAll(io.LimitReader(in.buf, n))
	if err == nil && len(data) == 0 {
		err = io.EOF
	}
	return glua.LString(data), err
}

func (in *input) readLine() (string, error) {
	line, err := in.buf.ReadString('\n')
	if err == io.EOF && line != "" {
		return line, nil
	}
	if err != nil {
		return "", err
	}
	return line[:len(line)-1], nil
}

// inputLines is io.lines() and io.stdin:lines().
func (h *Host) inputLines(L *glua.LState) int {
	L.Push(L.NewFunction(func(L *glua.LState) int {
		c, in := h.beginInput(L), h.outside.input
		line, err := in.readLine()
		h.check(L, c.back(c.fiber.Unlock(in.lock)))
		if err = c.back(err); !atEnd(L, err) {
			h.check(L, err)
			L.Push(glua.LString(line))
		}
		return 1
	}))
	return 1
}
