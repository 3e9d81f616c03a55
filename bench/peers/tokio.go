package peers

import (
	"context"
	"path/filepath"
	"strings"
)

// registry is where Debian's packages put the sources of libraries in Rust.
const registry = "/usr/share/cargo/registry"

// debians is the folder of Debian's own compiler, which its libraries are built for; PATH may
// have a newer one.
const debians = "/usr/bin"

// tokio is compiled, itself and our program, from Debian's sources and without a network.
func tokio(ctx context.Context, dir string) (*Peer, error) {
	cargo, rustc := filepath.Join(debians, "cargo"), filepath.Join(debians, "rustc")
	if err := need(cargo, rustc); err != nil {
		return nil, err
	}
	sources, err := filepath.Glob(filepath.Join(registry, "tokio-[0-9]*"))
	if err != nil || len(sources) == 0 {
		return nil, &MissingError{filepath.Join(registry, "tokio")}
	}
	folder := filepath.Join(dir, "tokio")
	_, err = say(ctx, folder, cargo, "build", "--release", "--offline", "--quiet",
		"--config", "build.rustc='"+rustc+"'",
		"--config", "source.crates-io.replace-with='debian'",
		"--config", "source.debian.directory='"+registry+"'")
	if err != nil {
		return nil, err
	}
	said, err := say(ctx, folder, rustc, "--version")
	if err != nil {
		return nil, err
	}
	version := strings.Replace(filepath.Base(sources[0]), "-", " ", 1)
	if words := strings.Fields(said); len(words) > 1 {
		version += ", rustc " + words[1]
	}
	return New(version, filepath.Join(folder, "target", "release", "peer")), nil
}
