package peers

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
)

// Kind is a runtime that bench has a program for.
type Kind struct {
	Name  string
	Works []string // what the program can do
	start func(ctx context.Context, dir string) (*Peer, error)
}

// All are the kinds, in the order of the table.
func All() []Kind {
	lua := []string{"yield-8", "yield-1000", "ping-pong", "ring-503", "spawn-join", "skynet"}
	return []Kind{
		{"Lua 5.4", lua, interpreter("lua5.4")},
		{"LuaJIT", lua, interpreter("luajit")},
		{"Erlang", append(lua[:len(lua):len(lua)], "sleepers"), erlang},
		{"tokio", append(lua[:len(lua):len(lua)], "sleepers", "mutex"), tokio},
	}
}

// Start finds the runtime and prepares its program in the folder, which may be kept for the next
// run. A *MissingError says that the runtime is not installed.
func (k Kind) Start(ctx context.Context, dir string) (*Peer, error) {
	if err := unpack(dir); err != nil {
		return nil, err
	}
	return k.start(ctx, dir)
}

// interpreter is a Lua: it runs the source.
func interpreter(command string) func(context.Context, string) (*Peer, error) {
	return func(ctx context.Context, dir string) (*Peer, error) {
		if err := need(command); err != nil {
			return nil, err
		}
		said, err := say(ctx, dir, command, "-v")
		if err != nil {
			return nil, err
		}
		version, _, _ := strings.Cut(said, " Copyright")
		return New(strings.TrimRight(version, " -"), command, filepath.Join(dir, "lua", "peer.lua")), nil
	}
}

// erlang has one scheduler that does not spin when idle, and room for a million processes.
func erlang(ctx context.Context, dir string) (*Peer, error) {
	if err := need("erl", "erlc"); err != nil {
		return nil, err
	}
	folder := filepath.Join(dir, "erlang")
	if _, err := say(ctx, folder, "erlc", "contender.erl"); err != nil {
		return nil, err
	}
	version, err := say(ctx, folder, "erl", "-noinput", "-eval",
		`io:format("Erlang/OTP ~s, erts ~s", [erlang:system_info(X) || X <- [otp_release, version]]), halt(0).`)
	if err != nil {
		return nil, err
	}
	return New(version, "erl", "+S", "1:1", "+P", "4194304", "+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none",
		"-noinput", "-pa", folder, "-run", "contender", "main"), nil
}

func need(commands ...string) error {
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			return &MissingError{c}
		}
	}
	return nil
}
