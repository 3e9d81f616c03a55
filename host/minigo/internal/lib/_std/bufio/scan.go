package bufio

import (
	"bytes"
	"errors"
	"io"
	"unicode"
	"unicode/utf8"
)

const MaxScanTokenSize = 64 * 1024

var (
	ErrTooLong         = errors.New("bufio.Scanner: token too long")
	ErrNegativeAdvance = errors.New("bufio.Scanner: SplitFunc returns negative advance count")
	ErrAdvanceTooFar   = errors.New("bufio.Scanner: SplitFunc returns advance count beyond input")
	ErrFinalToken      = errors.New("final token")
)

type SplitFunc func(data []byte, atEOF bool) (advance int, token []byte, err error)

type Scanner struct {
	r     io.Reader
	split SplitFunc
	max   int
	buf   []byte
	token []byte
	err   error // of the reader
	done  error // why the scan has ended
	over  bool
}

func NewScanner(r io.Reader) *Scanner { return &Scanner{r: r, split: ScanLines, max: MaxScanTokenSize} }

func (s *Scanner) Split(split SplitFunc)      { s.split = split }
func (s *Scanner) Buffer(buf []byte, max int) { s.max = max }
func (s *Scanner) Bytes() []byte              { return s.token }
func (s *Scanner) Text() string               { return string(s.token) }

func (s *Scanner) Err() error {
	if s.done == io.EOF {
		return nil
	}
	return s.done
}

func (s *Scanner) end(err error) bool {
	s.token, s.over = nil, true
	if s.done == nil {
		s.done = err
	}
	return false
}

func (s *Scanner) Scan() bool {
	for !s.over {
		if len(s.buf) > 0 || s.err != nil {
			advance, token, err := s.split(s.buf, s.err != nil)
			switch {
			case err == ErrFinalToken:
				s.token, s.over = token, true
				return token != nil
			case err != nil:
				return s.end(err)
			case advance < 0:
				return s.end(ErrNegativeAdvance)
			case advance > len(s.buf):
				return s.end(ErrAdvanceTooFar)
			}
			s.buf = s.buf[advance:]
			if token != nil {
				s.token = token
				return true
			}
			if advance > 0 {
				continue
			}
		}
		if s.err != nil {
			return s.end(s.err)
		}
		if len(s.buf) >= s.max {
			return s.end(ErrTooLong)
		}
		next := make([]byte, defaultSize)
		var n int
		n, s.err = s.r.Read(next)
		s.buf = append(s.buf, next[:n]...)
	}
	s.token = nil
	return false
}

func ScanBytes(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if len(data) == 0 {
		return 0, nil, nil
	}
	return 1, data[:1], nil
}

func ScanLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	switch i := bytes.IndexByte(data, '\n'); {
	case i >= 0:
		return i + 1, bytes.TrimSuffix(data[:i:i], []byte("\r")), nil
	case atEOF && len(data) > 0:
		return len(data), bytes.TrimSuffix(data, []byte("\r")), nil
	}
	return 0, nil, nil
}

func ScanWords(data []byte, atEOF bool) (advance int, token []byte, err error) {
	start := 0
	for i := 0; i < len(data); {
		r, width := utf8.DecodeRuneInString(string(data[i:min(i+utf8.UTFMax, len(data))]))
		if unicode.IsSpace(r) {
			if i > start {
				return i + width, data[start:i], nil
			}
			start = i + width
		}
		i += width
	}
	if atEOF && len(data) > start {
		return len(data), data[start:], nil
	}
	return start, nil, nil
}
