package fibers

import (
	"io"
	"sync"
)

// lockedWriter is a stream that several islands write to.
type lockedWriter struct {
	mu sync.Mutex
	to io.Writer
}

// locked adds a lock to a stream that has none. A nil stream discards what is written.
func locked(to io.Writer) io.Writer {
	if _, is := to.(*lockedWriter); is {
		return to
	}
	if to == nil {
		return io.Discard
	}
	return &lockedWriter{to: to}
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}
