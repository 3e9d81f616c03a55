package fibers

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
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

func TestAProgramThatIsTooDeepOrTooLargeIsAGuestErrorWithItsName(t *testing.T) {
	for program, message := range map[string]string{
		"\nreturn" + strings.Repeat(" not", 1_000_000) + " a": "program.lua:2: chunk has too many syntax levels",
		strings.Repeat(" ", 65<<20):                           "program.lua: chunk is larger than 64 MB",
	} {
		h := New(Config{})
		_, err := h.Run(context.Background(), strings.NewReader(program), "program.lua")
		var refused *GuestError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, GuestError{Message: message, cause: refused.cause}, *refused)
		h.Close()
	}
}
