package fibers

import (
	"bufio"
	"io"
	"os/exec"
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/host/lua/internal/vm"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// file is an open file. Programs hold it as a FILE* of gopher-lua, whose functions recognize it
// (see redirect). An operation that waits blocks its fiber only, and fibers take turns.
type file struct {
	lib  *files
	lock *wait.Mutex
	user *stackful.Fiber // the fiber that has the lock

	from   source
	disk   *fiberio.File // nil: the standard input
	in     *bufio.Reader // nil: the file is only written
	back   []byte        // read by an interrupted read; the next read gets it before in
	left   int64         // how many more bytes this read may take
	writes bool
	late   []byte // written by the program, and not yet to disk
	most   int    // the most bytes in late
	closed bool

	process *exec.Cmd // the process at the other end of the pipe, if it is one
}

// Read is called by in. A read without an end, such as a line of /dev/zero, must fail before it
// takes all memory.
func (f *file) Read(p []byte) (n int, err error) {
	if f.left <= 0 {
		return 0, tooLarge(f.name(), f.lib.maxBytes())
	}
	if len(f.back) > 0 {
		n = copy(p, f.back)
		f.back = f.back[n:]
	} else {
		n, err = f.from.Read(f.user, p, fiber.Never)
	}
	f.left -= int64(n)
	return n, err
}

func (f *file) name() string {
	if f.disk == nil {
		return "the standard input"
	}
	return f.disk.Name()
}

func (fs *files) newFile(L *glua.LState, disk *fiberio.File, reads, writes bool) *glua.LUserData {
	f := &file{lib: fs, lock: wait.NewMutex(wait.HandOver), from: disk, disk: disk, writes: writes}
	f.lock.SetName(disk.Name())
	if reads {
		f.in = bufio.NewReader(f)
	}
	ud := L.NewUserData()
	ud.Value, ud.Metatable = f, L.GetTypeMetatable(fileType)
	return ud
}

// fileOf returns the file in a value; nil if there is none.
func (fs *files) fileOf(L *glua.LState, v glua.LValue) *file {
	ud, ok := v.(*glua.LUserData)
	if !ok {
		return nil
	}
	f, ok := ud.Value.(*file)
	if ok {
		fs.checkOwner(L, "file", f.lib.env)
	}
	return f
}

// use calls do while no other fiber uses the file.
func (fs *files) use(L *glua.LState, f *file, do func() error) error {
	c := fs.begin(L)
	f.checkOpen(L)
	c.check(c.fiber.Lock(f.lock))
	f.user, f.left = c.fiber, fs.maxBytes()+1 // one more byte proves that it is too much
	err := do()
	c.check(c.fiber.Unlock(f.lock))
	return c.back(err)
}

func (f *file) checkOpen(L *glua.LState) {
	if f.closed {
		L.RaiseError("the file is closed")
	}
}

// readFrom is file:read(...), with the formats from the given argument on.
func (fs *files) readFrom(L *glua.LState, f *file, first int) int {
	formats := copied(L, first)
	if len(formats) == 0 {
		formats = []glua.LValue{glua.LString("*l")}
	}
	for i, format := range formats {
		if _, number := format.(glua.LNumber); !number && !slices.Contains([]string{"*l", "*a", "*n"}, word(format)) {
			L.ArgError(first+i, "invalid format "+word(format))
		}
	}
	f.checkOpen(L)
	if f.in == nil {
		return failed(L, f.disk.Name()+": is open for writing only")
	}
	var results []glua.LValue
	err := fs.use(L, f, func() (err error) {
		if err = f.flush(); err == nil {
			results, err = f.readAll(formats)
		}
		return err
	})
	if err != nil {
		return failed(L, err.Error())
	}
	return push(L, results...)
}

// failed returns the results of a failed function of io: nil, the reason, and a number, which is
// errno in C.
func failed(L *glua.LState, why string) int {
	return push(L, glua.LNil, glua.LString(why), glua.LNumber(1))
}

// linesOf is file:lines(). It calls ended after the last line.
func (fs *files) linesOf(L *glua.LState, f *file, ended func()) int {
	if f.in == nil {
		L.RaiseError("%s: is open for writing only", f.disk.Name())
	}
	L.Push(L.NewFunction(func(L *glua.LState) int {
		var line string
		err := fs.use(L, f, func() (err error) {
			if err = f.flush(); err == nil {
				line, err = f.readLine()
			}
			return err
		})
		if !atEnd(L, err) {
			fs.check(L, err)
			return push(L, glua.LString(line))
		}
		ended()
		return 1
	}))
	return 1
}

// writeTo is file:write(...), with the values from the given argument on.
func (fs *files) writeTo(L *glua.LState, f *file, first int) int {
	var data []byte
	for i := first; i <= L.GetTop(); i++ {
		L.CheckTypes(i, glua.LTNumber, glua.LTString)
		if data = append(data, glua.LVAsString(L.Get(i))...); len(data) > vm.MaxString {
			L.RaiseError("resulting string too large")
		}
	}
	f.checkOpen(L)
	if !f.writes {
		return failed(L, f.name()+": is open for reading only")
	}
	return did(L, fs.use(L, f, func() error {
		if err := f.settle(); err != nil {
			return err
		}
		if f.late = append(f.late, data...); len(f.late) > f.most {
			return f.flush()
		}
		return nil
	}))
}

// did returns true, or the results of failed.
func did(L *glua.LState, err error) int {
	if err != nil {
		return failed(L, err.Error())
	}
	return push(L, glua.LTrue)
}

// flush writes the buffered data to disk.
func (f *file) flush() error {
	if len(f.late) == 0 {
		return nil
	}
	_, err := f.disk.Write(f.user, f.late, fiber.Never)
	f.late = nil
	return err
}

// settle moves the position of the file back to the end of the data that the program has read. A
// pipe has no position, and keeps the data that was read ahead.
func (f *file) settle() error {
	if f.in == nil || f.disk == nil || f.in.Buffered()+len(f.back) == 0 {
		return nil
	}
	_, err := f.disk.Seek(f.user, -int64(f.in.Buffered()+len(f.back)), io.SeekCurrent, fiber.Never)
	if _, stop := err.(*stackful.Interrupt); stop {
		return err
	}
	if err == nil {
		f.in.Reset(f)
		f.back = nil
	}
	return nil
}
