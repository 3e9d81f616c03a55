package fibers

import (
	"errors"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/lua"
)

// sources are the files from which programs load code: loadfile, dofile and require. A program in a
// sandbox reads them on its fiber, so that a slow file delays no other; one with the access of the process reads
// them at once, and those that are no regular files too.
type sources struct {
	lua.ProcessFiles
	host *Host
}

// Read implements lua.Files.
func (s sources) Read(L *glua.LState, name string) (string, error) {
	fs := s.host.files
	if name == "" {
		return fs.wholeInput(L)
	}
	if fs.cfg.Access.Unrestricted() {
		return s.ProcessFiles.Read(L, name)
	}
	c := fs.begin(L)
	data, err := fs.world(L).ReadFile(c.fiber, name, fiber.Never)
	return string(data), c.back(err)
}

// Find implements lua.Files.
func (s sources) Find(L *glua.LState, name string) error {
	fs := s.host.files
	if fs.cfg.Access.Unrestricted() {
		return s.ProcessFiles.Find(L, name)
	}
	c := fs.begin(L)
	_, err := fs.world(L).Stat(c.fiber, name, fiber.Never)
	return c.back(err)
}

// wholeInput reads the standard input to its end.
func (fs *files) wholeInput(L *glua.LState) (string, error) {
	var results []glua.LValue
	in := fs.inputOf(L, fs.stdin)
	err := fs.use(L, in, func() (err error) {
		results, err = in.readAll([]glua.LValue{glua.LString("*a")})
		return err
	})
	if err != nil {
		return "", err
	}
	text, ok := results[0].(glua.LString)
	if !ok {
		return "", errors.New("the standard input was not read")
	}
	return string(text), nil
}
