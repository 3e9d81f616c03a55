package main

import (
	"bytes"
	"errors"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// maxText is how long a line may be.
const maxText = 1 << 10

var errLong = errors.New("chat: a line is too long")

// socket is a wire that is a connection.
type socket struct {
	conn *fiberio.Conn
	read []byte // and not handed out yet
}

func (s *socket) ReadLine(f *stackful.Fiber) (string, error) {
	for {
		if line, rest, found := bytes.Cut(s.read, []byte{'\n'}); found {
			s.read = rest
			return string(line), nil
		}
		if len(s.read) > maxText {
			return "", errLong
		}
		more := make([]byte, maxText)
		n, err := s.conn.Read(f, more, fiber.Never)
		if err != nil {
			return "", err
		}
		s.read = append(s.read, more[:n]...)
	}
}

func (s *socket) WriteLine(f *stackful.Fiber, line string) error {
	_, err := s.conn.WriteString(f, line+"\n", fiber.Never)
	return err
}

// door is an actor that lets in who connects and says a name.
func door(rt *stackful.Runtime, l *fiberio.Listener) goactor.Func[string] {
	return func(f *stackful.Fiber, cx *actor.Context[string]) error {
		for {
			conn, err := l.Accept(f, fiber.Never)
			if err != nil {
				return err
			}
			w := &socket{conn: conn}
			name, err := w.ReadLine(f)
			if err == nil {
				err = admit(rt, cx, name, w)
			}
			if err != nil {
				return errors.Join(err, conn.Close())
			}
		}
	}
}
