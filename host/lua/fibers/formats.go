package fibers

import (
	"fmt"
	"io"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
)

// readAll reads what the formats say, up to the first that finds the end: that is nil.
func (f *file) readAll(formats []glua.LValue) (results []glua.LValue, err error) {
	for _, format := range formats {
		v, err := f.readOne(format)
		if err == io.EOF {
			return append(results, glua.LNil), nil
		}
		if err != nil {
			return nil, err
		}
		results = append(results, v)
	}
	return results, nil
}

func (f *file) readOne(format glua.LValue) (glua.LValue, error) {
	if n, ok := format.(glua.LNumber); ok {
		return f.readBytes(int64(n))
	}
	switch word(format) {
	case "*a":
		return f.readRest()
	case "*n":
		var n glua.LNumber
		_, err := fmt.Fscanf(f.in, glua.LNumberScanFormat, &n)
		return n, err
	}
	line, err := f.readLine()
	return glua.LString(line), err
}

// readRest reads to the end, but not for ever.
func (f *file) readRest() (glua.LValue, error) {
	most := f.host.cfg.MaxBytes
	if most == 0 {
		most = fiberio.DefaultMaxBytes
	}
	all, err := io.ReadAll(io.LimitReader(f.in, most+1))
	if err == nil && int64(len(all)) > most {
		err = &fiberio.TooLargeError{What: "the rest of the file", Most: most}
	}
	return glua.LString(all), err
}

// readBytes reads as many, or fewer at the end; none only tells whether it is there.
func (f *file) readBytes(n int64) (glua.LValue, error) {
	if n <= 0 {
		_, err := f.in.Peek(1)
		return glua.LString(""), err
	}
	data, err := io.ReadAll(io.LimitReader(f.in, n))
	if err == nil && len(data) == 0 {
		err = io.EOF
	}
	return glua.LString(data), err
}

func (f *file) readLine() (string, error) {
	line, err := f.in.ReadString('\n')
	if err == io.EOF && line != "" {
		return line, nil
	}
	if err != nil {
		return "", err
	}
	return line[:len(line)-1], nil
}
