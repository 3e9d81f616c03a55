package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// stream is a source that a program reads as data arrives: a connection, or the body of an HTTP
// message. Fibers take turns.
type stream struct {
	from source
	lock *wait.Mutex // guards buf
	buf  lineBuffer
}

type source interface {
	Read(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error)
}

func (x *external) newStream(from source, name string) *stream {
	s := &stream{from: from, lock: wait.NewMutex(wait.HandOver), buf: lineBuffer{name: name, most: x.maxBytes()}}
	s.lock.SetName("reading from " + name)
	return s
}

// read reads a part of the stream on a fiber.
func (s *stream) read(f *stackful.Fiber, p part, deadline fiber.Time) ([]byte, error) {
	if err := f.LockUntil(s.lock, deadline); err != nil {
		return nil, err
	}
	data, err := s.buf.read(p, func(b []byte) (int, error) { return s.from.Read(f, b, deadline) })
	_ = f.Unlock(s.lock) // a fiber that was killed does not hold it
	return data, err
}

// streamMethods are the methods of every type whose objects have a stream.
func streamMethods[T any](t *typeOf[T], of func(T) *stream) functions {
	return functions{
		// read is s:read([what [, timeout]]). what is as for a file; without it, read
		// returns the data that arrives next, whatever its size.
		"read": func(L *glua.LState) int {
			c, v := t.op(L)
			part, deadline := partArgument(L, 2), c.deadline(3)
			data, err := of(v).read(c.fiber, part, deadline)
			err = c.back(err)
			if atEnd(L, err) {
				return 1
			}
			if t.timedOut(L, err) {
				return 2
			}
			return push(L, glua.LString(data))
		},
		"lines": func(L *glua.LState) int { return streamLines(t.env, L, of(t.receiver(L))) },
	}
}

// streamLines is for line in s:lines().
func streamLines(e *env, L *glua.LState, s *stream) int {
	return push(L, L.NewClosure(func(L *glua.LState) int {
		c := e.begin(L)
		data, err := s.read(c.fiber, part{line: true}, fiber.Never)
		if err = c.back(err); !atEnd(L, err) {
			e.check(L, err)
			L.Push(glua.LString(data))
		}
		return 1
	}, L.Get(1)))
}
