package fibers

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/sandbox"
)

// typed is a stage whose standard input is a pipe, and the writer of the pipe.
func typed(t *testing.T, budget int) (*stage, *os.File) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	cfg := real(budget)
	cfg.Access.Stdin = r
	s := set(t, cfg)
	s.global("type_in", func(L *glua.LState) int { _, _ = w.WriteString(L.CheckString(1)); return 0 })
	s.global("end_input", func(*glua.LState) int { _ = w.Close(); return 0 })
	return s, w
}

func TestAReadOfTheStandardInputBlocksItsFiberOnly(t *testing.T) {
	for _, budget := range budgets() {
		s, _ := typed(t, budget)
		s.play(`
			local first = fiber.spawn(function() return io.read() end)
			local second = fiber.spawn(function() return io.stdin:read("*n", 3) end)
			for i = 1, 100 do fiber.yield() end
			print(first:status(), second:status())
			type_in("a line\n 42 x")
			print(first:join())
			type_in("y")
			print(second:join())
			type_in("one\ntwo\nrest\nof it")
			local lines = {}
			for line in io.lines() do lines[#lines + 1] = line if line == "two" then break end end
			print(table.concat(lines, ","))
			end_input()
			print(io.read(0), io.read(2, "*a"))
			print(io.read(), io.read("*a"), io.read(0), io.read(5))
			for _ in io.stdin:lines() do print("never") end`)
		require.Equal(t, "blocked\tblocked\ntrue\ta line\ntrue\t42\t xy\none,two\n\tre\tst\nof it\nnil\t\tnil\tnil\n", s.printed())
	}
}

// A fiber that times out leaves the input to the next one, and no goroutine behind.
func TestAFiberThatGivesUpReadingLeavesTheInputToTheNext(t *testing.T) {
	s, _ := typed(t, 1000)
	s.play(`
		local t = fiber.spawn(function() io.read() end)
		fiber.sleep(0.001)
		t:cancel("enough")
		print(t:join())
		type_in("for the next\n")
		print(io.read())
		fiber.spawn(io.read) -- and one that is left when main returns`)
	require.Equal(t, "false\tcancelled: enough\nfor the next\n", s.printed())
}

func TestInputThatIsNoFileIsReadToo(t *testing.T) {
	cfg := Config{Access: sandbox.Access{Stdin: strings.NewReader("in virtual time\nas well")}}
	s := set(t, cfg)
	s.play(`
		for line in io.lines() do print(line) end
		print(pcall(io.read, "*x"))
		print(pcall(io.stdin.read, io.stdin, "*l", {}))`)
	require.Equal(t, "in virtual time\nas well\nfalse\tp.lua:3: bad argument #1 to (anonymous) (invalid format *x)\n"+
		"false\tp.lua:4: bad argument #3 to (anonymous) (invalid format a table)\n", s.printed())
}

func TestInputThatFailsIsAResult(t *testing.T) {
	s := set(t, Config{Access: sandbox.Access{Stdin: io.MultiReader(strings.NewReader("good\n"), failing{})}})
	s.play(`print(io.read()) print(io.read())`)
	require.Equal(t, "good\nnil\tthe cable is cut\t1\n", s.printed())
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errCut{} }

type errCut struct{}

func (errCut) Error() string { return "the cable is cut" }

func TestExecuteBlocksItsFiberOnly(t *testing.T) {
	outdoors(t, `
		local dir = os.tmpname()
		os.remove(dir)
		local t = fiber.spawn(function() return os.execute("until test -e " .. dir .. "; do :; done") end)
		fiber.sleep(0.001)
		print(t:status(), os.execute("exit 3"), os.execute("touch " .. dir))
		print(t:join())
		os.remove(dir)
		fiber.spawn(os.execute, "exec sleep 1000") -- is killed when main returns
		fiber.yield()`,
		"blocked\t1\t0\ntrue\t0\n")
}

// The next read gets the data that the cancelled one had taken, and the data after that.
func TestAFiberThatIsCancelledInTheMiddleOfAReadLosesNothing(t *testing.T) {
	for name, story := range map[string]struct{ read, typed string }{
		"a line":               {`io.read()`, "the beginn"},
		"a line of a loop":     {`for line in io.lines() do end`, "the beginn"},
		"all":                  {`io.read("*a")`, "the beginn"},
		"so many bytes":        {`io.read(100)`, "the beginn"},
		"a number":             {`io.read("*n")`, " 12"},
		"wrong runes":          {`io.read("*n", "*a")`, "1 \xe9\xff"},
		"the second of two":    {`io.read("*l", "*l")`, "the\nbeginn"},
		"the third, a number":  {`io.read(3, "*l", "*n")`, "the\n 12"},
		"more than one buffer": {`io.read()`, strings.Repeat("x", 10000)},
	} {
		for _, budget := range budgets() {
			t.Run(name, func(t *testing.T) {
				s, _ := typed(t, budget)
				s.global("typed", func(L *glua.LState) int { L.Push(glua.LString(story.typed)); return 1 })
				s.play(`
					local t = fiber.spawn(function() ` + story.read + ` end)
					type_in(typed())
					fiber.sleep(0.01)
					t:cancel("enough")
					print(t:join())
					type_in("ing\nand more")
					end_input()
					io.write(io.read("*a"))`)
				require.Equal(t, "false\tcancelled: enough\n"+story.typed+"ing\nand more", s.printed())
			})
		}
	}
}
