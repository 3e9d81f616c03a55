package fiberio_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// randomReaders are fibers that read a stream to its end and time out, are cancelled or are killed
// at random, with the bytes in the order in which they were read.
type randomReaders struct {
	*fixture
	from interface {
		Read(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error)
	}
	tasks  []*stackful.Task
	got    []byte
	ended  bool
	gaveUp map[string]int
}

// read is the body of a reader. It records its bytes before another fiber can run.
func (c *randomReaders) read(f *stackful.Fiber) error {
	buf := make([]byte, 1+rand.IntN(64))
	for !c.ended {
		deadline := fiber.Never
		if rand.IntN(2) == 0 {
			deadline = f.Within(time.Duration(rand.IntN(30)) * time.Microsecond)
		}
		n, err := c.from.Read(f, buf, deadline)
		c.got = append(c.got, buf[:n]...)
		switch {
		case err == io.EOF:
			c.ended = true
		case errors.Is(err, stackful.ErrTimeout):
			c.gaveUp["timeout"]++
		case err != nil:
			assert.ErrorAs(c, err, new(*stackful.Interrupt))
			return nil
		}
	}
	return nil
}

// disturb cancels and kills readers and starts others, until the end of the stream.
func (c *randomReaders) disturb(f *stackful.Fiber) {
	for !c.ended {
		i := rand.IntN(len(c.tasks))
		how, end := "cancel", c.rt.Scheduler().Cancel
		if rand.IntN(2) == 0 {
			how, end = "kill", c.rt.Scheduler().Kill
		}
		if end(c.tasks[i].ID(), nil) == nil {
			c.gaveUp[how]++
		}
		c.tasks[i] = c.fiber("reader", c.read)
		require.NoError(c, f.Sleep(time.Duration(rand.IntN(20))*time.Microsecond))
	}
}

func TestNoByteIsLostByReadersThatGiveUpAtRandom(t *testing.T) {
	const size, readers = 30_000, 8
	w := newFixture(t, fiberio.Config{})
	c := &randomReaders{fixture: w, gaveUp: map[string]int{}}
	w.alone(func(f *stackful.Fiber) {
		a, b := w.pair(f)
		c.from = b
		w.fiber("writer", func(f *stackful.Fiber) error {
			defer func() { _ = a.Close() }()
			for at := 0; at < size; {
				p := make([]byte, min(size-at, 1+rand.IntN(40)))
				for i := range p {
					p[i] = byte((at + i) % 251)
				}
				if _, err := a.Write(f, p, fiber.Never); err != nil {
					return err
				}
				at += len(p)
			}
			return nil
		})
		for range readers {
			c.tasks = append(c.tasks, w.fiber("reader", c.read))
		}
		c.disturb(f)
		w.settled(f)
	})
	require.Len(t, c.got, size)
	for i, b := range c.got {
		require.Equal(t, byte(i%251), b, "byte %d", i)
	}
	for _, how := range []string{"timeout", "cancel", "kill"} {
		assert.Positive(t, c.gaveUp[how], how)
	}
}
