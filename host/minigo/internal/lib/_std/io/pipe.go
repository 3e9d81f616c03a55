package io

import "sync"

// pipe is Go's: a Write waits until readers have taken all of it.
type pipe struct {
	writing sync.Mutex // serializes the writers
	data    chan []byte
	taken   chan int
	once    sync.Once
	done    chan struct{}
	rerr    error
	werr    error
}

func (p *pipe) close() { p.once.Do(func() { close(p.done) }) }

func (p *pipe) read(b []byte) (n int, err error) {
	select {
	case <-p.done:
		return 0, p.readError()
	default:
	}
	select {
	case w := <-p.data:
		n = copy(b, w)
		p.taken <- n
		return n, nil
	case <-p.done:
		return 0, p.readError()
	}
}

func (p *pipe) write(b []byte) (n int, err error) {
	select {
	case <-p.done:
		return 0, p.writeError()
	default:
		p.writing.Lock()
		defer p.writing.Unlock()
	}
	for once := true; once || len(b) > 0; once = false {
		select {
		case p.data <- b:
			taken := <-p.taken
			b = b[taken:]
			n += taken
		case <-p.done:
			return n, p.writeError()
		}
	}
	return n, nil
}

func (p *pipe) readError() error {
	if p.rerr == nil && p.werr != nil {
		return p.werr
	}
	return ErrClosedPipe
}

func (p *pipe) writeError() error {
	if p.werr == nil && p.rerr != nil {
		return p.rerr
	}
	return ErrClosedPipe
}

type PipeReader struct{ pipe *pipe }
type PipeWriter struct{ pipe *pipe }

func Pipe() (*PipeReader, *PipeWriter) {
	p := &pipe{data: make(chan []byte), taken: make(chan int), done: make(chan struct{})}
	return &PipeReader{p}, &PipeWriter{p}
}

func (r *PipeReader) Read(data []byte) (n int, err error) { return r.pipe.read(data) }
func (r *PipeReader) Close() error                        { return r.CloseWithError(nil) }

func (r *PipeReader) CloseWithError(err error) error {
	if err == nil {
		err = ErrClosedPipe
	}
	if r.pipe.rerr == nil {
		r.pipe.rerr = err
	}
	r.pipe.close()
	return nil
}

func (w *PipeWriter) Write(data []byte) (n int, err error) { return w.pipe.write(data) }
func (w *PipeWriter) Close() error                         { return w.CloseWithError(nil) }

func (w *PipeWriter) CloseWithError(err error) error {
	if err == nil {
		err = EOF
	}
	if w.pipe.werr == nil {
		w.pipe.werr = err
	}
	w.pipe.close()
	return nil
}
