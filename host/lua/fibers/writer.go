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

// locked adds a lock to a stream that has none. A nil stream stands for a file of the process,
// which needs no lock.
func locked(to io.Writer) io.Writer {
	if _, is := to.(*lockedWriter); is || to == nil {
		return to
	}
	return &lockedWriter{to: to}
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}
