package lua_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
)

// endless is a file like /dev/zero.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.read += len(p)
	return len(p), nil
}

func TestAnEndlessSourceIsRefused(t *testing.T) {
	d := newDriver(t, lua.Config{}, 1<<40)
	const message = "chunk: chunk is larger than 64 MB"
	source := &endless{}
	_, err := d.state.Load(source, "chunk")
	require.EqualError(t, err, message)
	require.Less(t, source.read, 65<<20)
	require.NoError(t, d.run(t, `local piece = (" "):rep(2^20) print(load(function() return piece end, "chunk"))`).err)
	require.Equal(t, "nil\t"+message+"\n", d.out.String())
}

// broken is a file that cannot be read to its end.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, os.ErrPermission }

func TestASourceThatCannotBeReadIsAnError(t *testing.T) {
	d := newDriver(t, lua.Config{}, 1<<40)
	_, err := d.state.Load(broken{}, "chunk")
	require.ErrorIs(t, err.(*glua.ApiError).Cause, os.ErrPermission)
	_, err = d.state.LoadFile("testdata/none.lua")
	require.ErrorIs(t, err.(*glua.ApiError).Cause, os.ErrNotExist)
	require.NoError(t, d.run(t, `print(loadfile("testdata")) print(pcall(dofile, "testdata")) print(loadfile("none"))`).err)
	require.Equal(t, "nil\tread testdata: is a directory\nfalse\tread testdata: is a directory\nnil\tcan not open file: none\n", d.out.String())
}

func TestAFirstLineForTheShellIsNotTheProgramsButIsCounted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "program")
	for _, program := range []string{"#!/usr/bin/lua\nerror('here')", "#!/usr/bin/lua\r\nerror('here')"} {
		require.NoError(t, os.WriteFile(file, []byte(program), 0o600))
		d := newDriver(t, lua.Config{}, 1<<40)
		require.NoError(t, d.run(t, fmt.Sprintf(`print(pcall(dofile, %q))`, file)).err)
		require.Equal(t, "false\t"+file+":2: here\n", d.out.String())
	}
}
