package vm_test

import (
	"fmt"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

func ExampleMeter() {
	L := glua.NewState()
	defer L.Close()
	slices := 0
	var m *vm.Meter
	m = vm.New(vm.Best, glua.CallStackSize, func() {
		slices++
		m.Left = 1000
	})
	m.Attach(L)
	err := L.DoString(`for i = 1, 10000 do end`)
	fmt.Println(slices, err)
	// Output: 10 <nil>
}

func ExampleKind() {
	m := vm.New(vm.Context, glua.CallStackSize, func() {})
	fmt.Println(m.Direct())
	// Output: false
}
