package fibers

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
)

func TestAFileThatIsNoProgramIsRefusedByName(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	s := set(t, Config{})
	for path, want := range map[string]string{
		write("junk.lua", "\x7fELF\x00\x01\xff\xfe"):          "junk.lua: is not a Lua program: it holds binary data",
		write("compiled.lua", "\x1bLua\x51\x00"):              "compiled.lua: is compiled Lua; give the source",
		write("syntax.lua", "local x =\nlocal y"):             "syntax.lua:2: ",
		write("unclosed.lua", "-- one\nif x then\n  y()\n"):   "unclosed.lua:3: syntax error at the end of the file",
		write("string.lua", "local x = 'abc\nlocal y"):        "string.lua:2: unterminated string",
		write("label.lua", "x = 1\ngoto nowhere"):             "no visible label 'nowhere' for <goto> at line 2",
		write("vararg.lua", "function f()\nreturn ... end"):   "vararg.lua:2: ",
		write("numeral.lua", "x = 1\nx = 0xg"):                "numeral.lua:2: ",
		write("runtime.lua", "#!/usr/bin/lua\nerror('oops')"): "runtime.lua:2: oops",
	} {
		_, err := s.RunFile(s.ctx, path)
		var guest *GuestError
		require.ErrorAs(t, err, &guest, path)
		require.Contains(t, err.Error(), want)
		require.True(t, strings.HasPrefix(err.Error(), path), err.Error())
	}
	for _, path := range []string{filepath.Join(dir, "missing.lua"), dir} {
		_, err := s.RunFile(s.ctx, path)
		var pathError *fs.PathError
		require.ErrorAs(t, err, &pathError)
		require.Contains(t, err.Error(), path)
	}
	_, err := s.RunFile(s.ctx, write("fine.lua", "#!/usr/bin/env selvage\nprint(arg[0] ~= nil, arg[1], ...)"), "argument")
	require.NoError(t, err)
	require.Equal(t, "true\targument\targument\n", s.printed())
	_, err = s.Run(s.ctx, io.MultiReader(strings.NewReader("x = 1"), iotest.ErrReader(errors.New("disk on fire"))), "p.lua")
	require.EqualError(t, err, "p.lua: disk on fire")
}

func TestAnUncaughtErrorKeepsItsValueAndTraceback(t *testing.T) {
	for name, value := range map[string]glua.LValue{
		`"text"`: glua.LString("p.lua:1: text"), `42`: glua.LNumber(42), `true`: glua.LTrue, `nil`: glua.LNil, `setmetatable({}, {__tostring = function() return "x" end})`: nil,
	} {
		s := set(t, Config{})
		var guest *GuestError
		require.ErrorAs(t, s.try(`local function fail() fiber.yield() error(`+name+`) end fail()`), &guest)
		if value != nil {
			require.Equal(t, value, guest.Value)
		} else {
			require.Equal(t, glua.LTTable, guest.Value.Type())
			require.Equal(t, "(error object is a table value)", guest.Error())
		}
		require.Contains(t, guest.Traceback, "p.lua:1: in function 'fail'\n\tp.lua:1: in main chunk")
	}
}
