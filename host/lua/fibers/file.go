package fibers

import (
	"bufio"
	"io"
	"os/exec"
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// file is an open file as programs hold it: a FILE* of gopher-lua's, whose functions look
// whose it is. What waits blocks its fiber only; fibers take turns.
type file struct {
	host *Host
	lock *wait.Mutex
	user *stackful.Fiber // has the lock

	from   source
	disk   *fiberio.File // nil is the standard input
	in     *bufio.Reader // nil: it is only written
	back   []byte        // taken by a read that was broken off, and before what in has next
	left   int64         // how many more bytes this read may take
	writes bool
	late   []byte // written and not yet on disk
	most   int    // of that
	closed bool

	process *exec.Cmd // at the other end of it
}

// Read is for in. What has no end, a line of /dev/zero, is to end before all memory is taken.
func (f *file) Read(p []byte) (n int, err error) {
	if f.left <= 0 {
		return 0, tooMuchOf(f.name(), f.host.mostBytes())
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

func (h *Host) newFile(L *glua.LState, disk *fiberio.File, reads, writes bool) *glua.LUserData {
	f := &file{host: h, lock: wait.NewMutex(wait.HandOver), from: disk, disk: disk, writes: writes}
	f.lock.SetName(disk.Name())
	if reads {
		f.in = bufio.NewReader(f)
	}
	ud := L.NewUserData()
	ud.Value, ud.Metatable = f, L.GetTypeMetatable(fileType)
	return ud
}

// fileOf is a value as one of our files; nil if it is another thing.
func (h *Host) fileOf(L *glua.LState, v glua.LValue) *file {
	ud, ok := v.(*glua.LUserData)
	if !ok {
		return nil
	}
	f, ok := ud.Value.(*file)
	if ok {
		h.checkHost(L, "file", f.host)
	}
	return f
}

// use does something to a file while no other fiber does.
func (h *Host) use(L *glua.LState, f *file, do func() error) error {
	c := h.self(L)
	if f.closed {
		L.RaiseError("the file is closed")
	}
	h.check(L, c.back(c.fiber.Lock(f.lock)))
	f.user, f.left = c.fiber, h.mostBytes()+1 // with one more it is known to be too much
	err := do()
	h.check(L, c.back(c.fiber.Unlock(f.lock)))
	return c.back(err)
}

// readFrom is file:read(...), with the formats from the given argument on.
func (h *Host) readFrom(L *glua.LState, f *file, first int) int {
	formats := copied(L, first)
	if len(formats) == 0 {
		formats = []glua.LValue{glua.LString("*l")}
	}
	for i, format := range formats {
		if _, number := format.(glua.LNumber); !number && !slices.Contains([]string{"*l", "*a", "*n"}, word(format)) {
			L.ArgError(first+i, "invalid format "+word(format))
		}
	}
	if f.in == nil {
		return failed(L, f.disk.Name()+": is open for writing only")
	}
	var results []glua.LValue
	err := h.use(L, f, func() (err error) {
		if err = f.flush(); err == nil {
			results, err = f.readAll(formats)
		}
		return err
	})
	if err != nil {
		return failed(L, err.Error())
	}
	for _, v := range results {
		L.Push(v)
	}
	return len(results)
}

// failed is what the functions of io give if something goes wrong: nil, the reason, and a
// number, which is errno in C.
func failed(L *glua.LState, why string) int {
	L.Push(glua.LNil)
	L.Push(glua.LString(why))
	L.Push(glua.LNumber(1))
	return 3
}

// linesOf is file:lines(); ended is called when there are no more.
func (h *Host) linesOf(L *glua.LState, f *file, ended func()) int {
	if f.in == nil {
		L.RaiseError("%s: is open for writing only", f.disk.Name())
	}
	L.Push(L.NewFunction(func(L *glua.LState) int {
		var line string
		err := h.use(L, f, func() (err error) {
			if err = f.flush(); err == nil {
				line, err = f.readLine()
			}
			return err
		})
		if !atEnd(L, err) {
			h.check(L, err)
			L.Push(glua.LString(line))
			return 1
		}
		ended()
		return 1
	}))
	return 1
}

// writeTo is file:write(...), with what is written from the given argument on.
func (h *Host) writeTo(L *glua.LState, f *file, first int) int {
	var data []byte
	for i := first; i <= L.GetTop(); i++ {
		L.CheckTypes(i, glua.LTNumber, glua.LTString)
		data = append(data, glua.LVAsString(L.Get(i))...)
	}
	if !f.writes {
		return failed(L, f.disk.Name()+": is open for reading only")
	}
	return h.did(L, h.use(L, f, func() error {
		if err := f.settle(); err != nil {
			return err
		}
		if f.late = append(f.late, data...); len(f.late) > f.most {
			return f.flush()
		}
		return nil
	}))
}

// did gives true, or what failed gives.
func (h *Host) did(L *glua.LState, err error) int {
	if err != nil {
		return failed(L, err.Error())
	}
	L.Push(glua.LTrue)
	return 1
}

// flush writes what is late.
func (f *file) flush() error {
	if len(f.late) == 0 {
		return nil
	}
	_, err := f.disk.Write(f.user, f.late, fiber.Never)
	f.late = nil
	return err
}

// settle goes back to where the program has read to. A pipe has no place, and keeps what
// came.
func (f *file) settle() error {
	if f.in == nil || f.in.Buffered()+len(f.back) == 0 {
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
