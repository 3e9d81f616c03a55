package meter_test

import (
	"context"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/selvage-dev/selvage/host/wasm/meter"
)

// unmetered is the slice of a world whose modules run as they are.
const unmetered = 0

// slices are the lengths that must make no difference.
func slices() []int64 { return []int64{1, 7, 1000, math.MaxInt64} }

// world is an engine, and a host that gives every slice the same fuel.
type world struct {
	wazero.Runtime
	slice    int64
	preempts int
}

func features() api.CoreFeatures {
	return api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall | experimental.CoreFeaturesExtendedConst
}

func newWorld(t testing.TB, slice int64) *world {
	return newWorldWith(t, slice, wazero.NewRuntimeConfigInterpreter())
}

func newWorldWith(t testing.TB, slice int64, cfg wazero.RuntimeConfig) *world {
	t.Helper()
	ctx := context.Background()
	w := &world{Runtime: wazero.NewRuntimeWithConfig(ctx, cfg.WithCoreFeatures(features())), slice: slice}
	t.Cleanup(func() { require.NoError(t, w.Close(ctx)) })
	_, err := w.NewHostModuleBuilder(meter.Host).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(w.preempt), nil, nil).Export(meter.Preempt).Instantiate(ctx)
	require.NoError(t, err)
	return w
}

func (w *world) preempt(_ context.Context, m api.Module, _ []uint64) {
	w.preempts++
	m.ExportedGlobal(meter.Fuel).(api.MutableGlobal).Set(uint64(w.slice))
}

// load makes an instance; its name is for those who import from it.
func (w *world) load(module []byte, name string) (api.Module, error) {
	if w.slice != unmetered {
		var err error
		if module, _, err = meter.Instrument(module, meter.Options{TableEntries: math.MaxUint32}); err != nil {
			return nil, err
		}
	}
	return w.InstantiateWithConfig(context.Background(), module, wazero.NewModuleConfig().WithName(name).WithStartFunctions())
}

// call calls an exported function.
func (w *world) call(t testing.TB, m api.Module, name string, args ...uint64) []uint64 {
	t.Helper()
	results, err := m.ExportedFunction(name).Call(context.Background(), args...)
	require.NoError(t, err)
	return results
}

// mustLoad is load of a module that is in order.
func (w *world) mustLoad(t testing.TB, module []byte) api.Module {
	t.Helper()
	m, err := w.load(module, "")
	require.NoError(t, err)
	return m
}

// suite is where the module cache has the tests of the WebAssembly specification, which
// wazero brings along.
func suite(t testing.TB) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	require.NoError(t, err)
	return filepath.Join(strings.TrimSpace(string(dir)), "internal", "integration_test", "spectest")
}
