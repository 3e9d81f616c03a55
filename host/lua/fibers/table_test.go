package fibers

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
)

// A program that iterates over these tables does the same in every run.
func TestTablesHaveAnOrder(t *testing.T) {
	s := set(t, slice(100))
	s.play(`
		for _, lib in ipairs{ fiber, net, http, fs, proc } do
			local names = {}
			for name in pairs(lib) do names[#names + 1] = name end
			print(table.concat(names, " "))
		end`)
	for _, names := range strings.Split(strings.TrimSpace(s.printed()), "\n") {
		require.True(t, slices.IsSorted(strings.Fields(names)), names)
	}
	header := http.Header{}
	for _, name := range strings.Fields("F C A G E D B") {
		header.Set(name, "x")
	}
	L, got := glua.NewState(), ""
	defer L.Close()
	headers := headerTable(L, header)
	for name, _ := headers.Next(glua.LNil); name != glua.LNil; name, _ = headers.Next(name) {
		got += name.String()
	}
	require.Equal(t, "abcdefg", got)
}
