// Streams of bytes: packages bytes, bufio, io, io/ioutil, log and strings.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/ioutil"
	"log"
	"os"
	"strings"
)

// dribble gives one byte at a time, and its error with the last one.
type dribble struct {
	s   string
	err error
}

func (d *dribble) Read(p []byte) (int, error) {
	if len(d.s) == 0 {
		return 0, d.err
	}
	p[0], d.s = d.s[0], d.s[1:]
	if len(d.s) == 0 {
		return 1, d.err
	}
	return 1, nil
}

// short accepts some bytes only.
type short struct{ left int }

func (s *short) Write(p []byte) (int, error) {
	n := min(s.left, len(p))
	s.left -= n
	if n < len(p) {
		return n, errors.New("no room")
	}
	return n, nil
}

func buffers() {
	var b bytes.Buffer
	b.WriteString("one\ntwo\n")
	fmt.Fprintf(&b, "%d three", 3)
	b.WriteByte('!')
	b.WriteRune('é')
	line, err := b.ReadString('\n')
	fmt.Printf("%q %v %d\n", line, err, b.Len())
	c, _ := b.ReadByte()
	fmt.Printf("%c %q %q\n", c, b.Next(2), b.String())
	b.Truncate(3)
	rest, err := b.ReadBytes('x')
	fmt.Printf("%q %v\n", rest, err)
	_, err = b.Read(make([]byte, 1))
	n, none := b.Read(nil)
	fmt.Println(err, n, none, b.Len())
	r := bytes.NewReader([]byte("abc"))
	copied, err := io.Copy(&b, r)
	fmt.Println(copied, err, b.String(), r.Len())
	moved, err := b.WriteTo(&short{2})
	fmt.Println(moved, err, b.String())
	filled, err := b.ReadFrom(&dribble{"xyz", io.EOF})
	fmt.Println(filled, err, bytes.NewBufferString("s").String(), bytes.NewBuffer(nil).Len())
	fmt.Println(bytes.Equal(nil, []byte{}), bytes.Compare([]byte("a"), []byte("b")), bytes.Contains([]byte("seafood"), []byte("foo")))
	fmt.Printf("%q %q %q\n", bytes.TrimSpace([]byte(" x ")), bytes.TrimPrefix([]byte("xy"), []byte("x")), bytes.TrimSuffix([]byte("xy"), []byte("y")))
	fmt.Printf("%q %q %q\n", bytes.Split([]byte("a,b"), []byte(",")), bytes.Fields([]byte(" a  b ")), bytes.Join([][]byte{{'x'}, {'y'}}, []byte("--")))
	fmt.Println(bytes.Index([]byte("chicken"), []byte("ken")), bytes.IndexByte([]byte("x"), 'y'), bytes.Count([]byte("cheese"), []byte("e")), bytes.HasPrefix([]byte("Go"), []byte("G")))
	fmt.Printf("%q %q %q %v\n", bytes.ToUpper([]byte("up")), bytes.Repeat([]byte("-"), 3), bytes.Clone([]byte("c")), bytes.Clone(nil) == nil)
}

func readers() {
	all, err := ioutil.ReadAll(&dribble{"hello", io.EOF})
	fmt.Printf("%s %v\n", all, err)
	buf := make([]byte, 4)
	n, err := io.ReadFull(&dribble{"ab", io.EOF}, buf)
	fmt.Println(n, err)
	n, err = io.ReadFull(strings.NewReader(""), buf)
	fmt.Println(n, err)
	n, err = io.ReadAtLeast(strings.NewReader("abcdef"), buf, 2)
	fmt.Println(n, err)
	_, err = io.ReadAtLeast(strings.NewReader("abcdef"), buf, 9)
	fmt.Println(err)
	var out bytes.Buffer
	m, err := io.CopyN(&out, strings.NewReader("abcdef"), 4)
	fmt.Println(m, err, out.String())
	m, err = io.CopyN(&out, strings.NewReader("gh"), 4)
	fmt.Println(m, err, out.String())
	m, err = io.Copy(&short{3}, strings.NewReader("abcdef"))
	fmt.Println(m, err)
	var left, right strings.Builder
	tee := io.TeeReader(io.MultiReader(strings.NewReader("a"), &dribble{"bc", io.EOF}), io.MultiWriter(&left, &right))
	io.Copy(io.Discard, tee)
	fmt.Println(left.String(), right.String())
	closer := io.NopCloser(strings.NewReader("x"))
	fmt.Println(closer.Close(), io.ErrClosedPipe, io.ErrNoProgress, io.ErrShortBuffer)
}

func buffered() {
	r := bufio.NewReaderSize(&dribble{"first\r\nsecond line\nrest", io.EOF}, 16)
	p, err := r.Peek(3)
	fmt.Printf("%q %v %d\n", p, err, r.Size())
	line, more, err := r.ReadLine()
	fmt.Printf("%q %v %v\n", line, more, err)
	text, err := r.ReadString('\n')
	fmt.Printf("%q %v\n", text, err)
	c, err := r.ReadByte()
	fmt.Printf("%c %v\n", c, err)
	text, err = r.ReadString('\n')
	fmt.Printf("%q %v\n", text, err)
	_, err = r.ReadByte()
	_, bad := r.Peek(-1)
	_, full := bufio.NewReaderSize(strings.NewReader(strings.Repeat("x", 40)), 16).Peek(17)
	fmt.Println(err, bad, full)
	var out bytes.Buffer
	w := bufio.NewWriterSize(&out, 4)
	w.WriteString("ab")
	fmt.Println(w.Buffered(), w.Available(), out.String())
	w.WriteString("cdefg")
	w.WriteByte('h')
	w.WriteRune('i')
	fmt.Println(w.Buffered(), out.String(), w.Flush(), out.String())
	w = bufio.NewWriterSize(&short{5}, 4)
	n, err := w.WriteString("0123456789")
	fmt.Println(n, err, w.Flush())
	rw := bufio.NewReadWriter(bufio.NewReader(strings.NewReader("in")), bufio.NewWriter(&out))
	rw.WriteString("out")
	rw.Flush()
	b, _ := rw.ReadByte()
	fmt.Printf("%c %s\n", b, out.String())
}

func scans() {
	for _, split := range []bufio.SplitFunc{bufio.ScanLines, bufio.ScanWords, bufio.ScanBytes} {
		s := bufio.NewScanner(&dribble{"a b\r\n\n  cd é", io.EOF})
		s.Split(split)
		for s.Scan() {
			fmt.Printf("%q ", s.Text())
		}
		fmt.Println(s.Err())
	}
	s := bufio.NewScanner(strings.NewReader(strings.Repeat("x", 1<<17)))
	fmt.Println(s.Scan(), s.Err())
	s = bufio.NewScanner(&dribble{"broken", errors.New("cut")})
	fmt.Println(s.Scan(), s.Text(), s.Scan(), s.Err())
	s = bufio.NewScanner(strings.NewReader("x"))
	s.Split(func(data []byte, atEOF bool) (int, []byte, error) { return 9, nil, nil })
	fmt.Println(s.Scan(), s.Err())
}

func pipes() {
	r, w := io.Pipe()
	go func() {
		for i := range 3 {
			fmt.Fprintf(w, "part %d;", i)
		}
		w.CloseWithError(errors.New("the writer's end"))
	}()
	all, err := io.ReadAll(r)
	fmt.Printf("%s %v\n", all, err)
	_, err = w.Write([]byte("x"))
	fmt.Println(err)
	r, w = io.Pipe()
	done := make(chan error)
	go func() {
		_, err := w.Write([]byte("never read"))
		done <- err
	}()
	r.Close()
	fmt.Println(<-done)
	_, err = r.Read(make([]byte, 1))
	fmt.Println(err)
}

func logs() {
	l := log.New(os.Stdout, "prefix: ", 0)
	l.Println("a", 1)
	l.Printf("%d\n", 2)
	l.SetFlags(log.Lmsgprefix)
	l.SetPrefix("[x] ")
	l.Print("b", "c", 3, 4)
	log.SetFlags(0)
	log.SetOutput(l.Writer())
	log.Print("default")
	defer func() { fmt.Println("recovered", recover(), l.Flags(), l.Prefix()) }()
	log.Panicf("panic %d", 5)
}

func main() {
	buffers()
	readers()
	buffered()
	scans()
	pipes()
	logs()
}
