package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// stream is what a program reads as it comes: a connection, or the body of a message.
type stream struct {
	from    source
	reading *wait.Mutex // of what follows
	buf     lines
}

type source interface {
	Read(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error)
}

func (h *Host) newStream(from source, name string) *stream {
	s := &stream{from: from, reading: wait.NewMutex(wait.HandOn), buf: lines{name: name, most: h.mostBytes()}}
	s.reading.SetName("reading from " + name)
	return s
}

// take reads what is wanted for a fiber.
func (s *stream) take(f *stackful.Fiber, w want, deadline fiber.Time) ([]byte, error) {
	if err := f.LockUntil(s.reading, deadline); err != nil {
		return nil, err
	}
	data, err := s.buf.read(w, func(p []byte) (int, error) { return s.from.Read(f, p, deadline) })
	_ = f.Unlock(s.reading) // a fiber that was killed holds it no more
	return data, err
}

// readStream is s:read([what [, timeout]]), where what is as for a file, or nothing: then
// it is what comes next, whatever its size.
func (h *Host) readStream(L *glua.LState, s *stream) int {
	c := h.self(L)
	want, deadline := wanted(L, 2), h.deadline(L, 3)
	data, err := s.take(c.fiber, want, deadline)
	err = c.back(err)
	if atEnd(L, err) {
		return 1
	}
	if h.timedOut(L, err) {
		return 2
	}
	L.Push(glua.LString(data))
	return 1
}

// streamLines is for line in s:lines().
func (h *Host) streamLines(L *glua.LState, s *stream) int {
	L.Push(L.NewFunction(func(L *glua.LState) int {
		c := h.self(L)
		data, err := s.take(c.fiber, want{line: true}, fiber.Never)
		if err = c.back(err); !atEnd(L, err) {
			h.check(L, err)
			L.Push(glua.LString(data))
		}
		return 1
	}))
	return 1
}
