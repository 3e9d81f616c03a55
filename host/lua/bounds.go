package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// maxString is the most bytes of a string that a program makes. Go ends the process if there is no
// memory for one.
const maxString = vm.MaxString

func tooLarge(L *glua.LState) { L.RaiseError("resulting string too large") }
