package fibers

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/selvage-dev/selvage/host/wasm"
)

// defineWASI defines WASI's functions. Those of the engine panic, or use up the memory of the host,
// with some arguments, which are refused here.
func defineWASI(engine wazero.Runtime) error {
	functions, err := engineWASI()
	if err != nil {
		return err
	}
	b := engine.NewHostModuleBuilder(wasi_snapshot_preview1.ModuleName)
	for name, f := range functions {
		call := f.GoFunction().(api.GoModuleFunction) // all of them are
		b.NewFunctionBuilder().WithGoModuleFunction(guarded(name, call), f.ParamTypes(), f.ResultTypes()).Export(name)
	}
	_, err = b.Instantiate(context.Background())
	return err
}

// engineWASI finds the functions of the engine. Its runtime is an interpreter, because it calls
// none of them and so needs no machine code.
func engineWASI() (map[string]api.FunctionDefinition, error) {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer func() { _ = r.Close(ctx) }() // frees memory; no caller can handle an error
	module, err := wasi_snapshot_preview1.NewBuilder(r).Compile(ctx)
	if err != nil {
		return nil, err
	}
	return module.ExportedFunctions(), nil
}

// errno is an error number of WASI.
type errno uint64

const (
	success    errno = 0
	badFile    errno = 8
	badAddress errno = 21
	invalid    errno = 28
	tooLong    errno = 37
)

// guarded is the function for arguments that it can take.
func guarded(name string, call api.GoModuleFunction) api.GoModuleFunc {
	switch name {
	case "proc_exit", "sched_yield": // have no pointers
		return hosted(name, call)
	}
	execute := hosted(name, call)
	refusal, lengths := refusals[name], nameLengths[name]
	return func(ctx context.Context, m api.Module, stack []uint64) {
		refused := success
		if !wasm.CallerOf(ctx).HasMemory() {
			refused = badAddress
		} else if refusal != nil {
			refused = refusal(stack)
		}
		for _, at := range lengths {
			if uint32(stack[at]) > maxName {
				refused = tooLong
			}
		}
		if refused != success {
			stack[0] = uint64(refused)
			return
		}
		execute(ctx, m, stack)
	}
}

// hosted is the function as one that may wait.
func hosted(name string, call api.GoModuleFunction) api.GoModuleFunc {
	name = wasi_snapshot_preview1.ModuleName + "." + name
	return func(ctx context.Context, m api.Module, stack []uint64) {
		wasm.CallerOf(ctx).HostCall(name, func() { call.Call(ctx, m, stack) })
	}
}

// refusals are the functions with arguments that the engine does not check.
var refusals = map[string]func(args []uint64) errno{
	"poll_oneoff":           refusePoll,
	"fd_renumber":           refuseRenumber,
	"fd_filestat_set_times": refuseTimes,
	"fd_read":               refuseVectors,
	"fd_pread":              refuseVectors,
	"fd_write":              refuseVectors,
	"fd_pwrite":             refuseVectors,
}

// nameLengths are the parameters that are lengths of names. The engine copies names.
var nameLengths = map[string][]int{
	"path_create_directory":   {2},
	"path_filestat_get":       {3},
	"path_filestat_set_times": {3},
	"path_link":               {3, 6},
	"path_open":               {3},
	"path_readlink":           {2},
	"path_remove_directory":   {2},
	"path_rename":             {2, 5},
	"path_symlink":            {1, 4},
	"path_unlink_file":        {2},
}

// refusePoll limits the subscriptions, of 48 bytes.
func refusePoll(args []uint64) errno { return refuseMany(args[2], 48, 4096) }

// refuseVectors limits the vectors, of eight bytes, as Linux does.
func refuseVectors(args []uint64) errno { return refuseMany(args[2], 8, 1024) }

// refuseMany limits the elements of an argument. The engine computes their size in 32 bits, and visits
// them without a poll.
func refuseMany(n, size, most uint64) errno {
	switch n = uint64(uint32(n)); {
	case n > (1<<32-1)/size:
		return badAddress
	case n > most:
		return invalid
	}
	return success
}

// refuseRenumber: the engine's table of files has an entry for each number up to the largest.
func refuseRenumber(args []uint64) errno {
	const maxNumber = 1<<16 - 1
	if uint32(args[1]) > maxNumber {
		return badFile
	}
	return success
}

// refuseTimes: a standard stream has no file system that the engine could ask to set its times.
func refuseTimes(args []uint64) errno {
	if uint32(args[0]) <= 2 {
		return invalid
	}
	return success
}
