package meter_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/wasm/meter"
	"github.com/selvage-dev/selvage/internal/asm"
)

// An endless loop is stopped at the end of its third slice of 1000 units.
func ExampleInstrument() {
	module, _, err := meter.Instrument(asm.Assemble("func spin () export loop br 0 end end"), meter.Options{})
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	engine := wazero.NewRuntime(ctx)
	defer engine.Close(ctx)

	slices := 0
	preempt := func(_ context.Context, m api.Module) {
		if slices++; slices > 3 {
			panic(errors.New("enough"))
		}
		m.ExportedGlobal(meter.Fuel).(api.MutableGlobal).Set(1000)
	}
	if _, err := engine.NewHostModuleBuilder(meter.Host).
		NewFunctionBuilder().WithFunc(preempt).Export(meter.Preempt).Instantiate(ctx); err != nil {
		panic(err)
	}
	m, err := engine.Instantiate(ctx, module)
	if err != nil {
		panic(err)
	}
	_, err = m.ExportedFunction("spin").Call(ctx)
	fmt.Println(err)
	// Output:
	// enough (recovered by wazero)
	// wasm stack trace:
	// 	selvage.meter.preempt()
	// 	.spin()
}

func ExampleOptions() {
	module := asm.Assemble("table 50")
	_, _, err := meter.Instrument(module, meter.Options{TableEntries: 10})
	fmt.Println(err)
	// Output: offset 0xc, tables: a table of 50 entries: with 1 tables, each may have 10
}

func ExampleError() {
	_, _, err := meter.Instrument([]byte("\x00asm\x01\x00\x00\x00\x01\x7f"), meter.Options{})
	var malformed *meter.Error
	if errors.As(err, &malformed) {
		fmt.Printf("at byte %d: %s\n", malformed.Offset, malformed.What)
	}
	// Output: at byte 10: 127 bytes wanted, 0 are left
}
