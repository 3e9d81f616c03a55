package fiberio

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// trusted is the length of a body for which the client's word is enough: its memory is allocated
// at once. That of a longer one grows as its bytes arrive.
const trusted = 64 << 10

// readBody reads the body of a request, on a goroutine of net/http. It returns the memory of the
// body, nil if it has none, or the response to a body that cannot be read.
func (s *Server) readBody(out http.ResponseWriter, r *http.Request) (body []byte, memory *claim, refusal *Response) {
	if r.ContentLength == 0 {
		return nil, nil, nil
	}
	in := s.bodyOf(out, http.NewResponseController(out), r)
	if refusal := in.tooLarge(r, s.limits.MaxBody); refusal != nil {
		return nil, nil, refusal
	}
	memory = s.room.begin()
	body, err := in.readAll(r.Context(), memory, r.ContentLength, s.limits.MaxBody)
	if err == nil {
		memory.arrived()
		return body, memory, nil
	}
	memory.release()
	if errors.Is(err, context.Canceled) {
		panic(http.ErrAbortHandler) // the server is closed
	}
	return nil, nil, in.refused(err, r.ProtoMajor)
}

// tooLarge is the response to a body whose length is over the limit, or nil.
func (b *pacedBody) tooLarge(r *http.Request, limit int64) *Response {
	if r.ContentLength <= limit {
		return nil
	}
	b.drain()
	b.fail(&http.MaxBytesError{Limit: limit})
	return b.refused(nil, r.ProtoMajor)
}

// refused is the response to a body that cannot be read. A connection of HTTP/1 ends with it,
// because the rest of the body would be taken for the next request.
func (b *pacedBody) refused(err error, protocol int) *Response {
	refusal := b.refusal()
	switch {
	case err == errNoRoom:
		b.drain()
		refusal = plainResponse(http.StatusServiceUnavailable)
	case refusal == nil:
		refusal = plainResponse(http.StatusBadRequest)
	}
	if protocol == 1 {
		refusal.Header.Set("Connection", "close")
	}
	return refusal
}

// readAll reads a body into memory that it claims before. The length is -1 if it is unknown.
func (b *pacedBody) readAll(ctx context.Context, memory *claim, length, limit int64) ([]byte, error) {
	most := limit
	if length >= 0 {
		most = length
	}
	var body []byte
	for {
		if size := int64(cap(body)); int64(len(body)) == size && size < most {
			next := nextSize(size, length, most)
			if err := memory.grow(ctx, next-size, b.pace.end); err != nil {
				return nil, err
			}
			body = append(make([]byte, 0, next), body...)
		}
		n, err := b.readMore(body)
		body = body[:len(body)+n]
		if err == io.EOF {
			return body, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// readMore reads behind the body's bytes. A full body must be at its end.
func (b *pacedBody) readMore(body []byte) (int, error) {
	if len(body) < cap(body) {
		return b.Read(body[len(body):cap(body)])
	}
	n, err := b.Read(make([]byte, 1))
	if n > 0 {
		err = &http.MaxBytesError{Limit: int64(len(body))}
	}
	return 0, err
}

// nextSize is the next capacity of a body's buffer.
func nextSize(size, length, most int64) int64 {
	const first = 4 << 10
	if length >= 0 && length <= trusted {
		return length
	}
	return min(max(2*size, first), most)
}
