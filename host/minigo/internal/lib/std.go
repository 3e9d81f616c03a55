package lib

import (
	"embed"
	"maps"
	"path"

	"github.com/selvage-dev/selvage/host/minigo/internal/front"
)

//go:embed _std _host
var std embed.FS

// HostPackage is the package that what the host binds is made of.
const HostPackage = "host"

// Source is the source of a package of the library; empty if there is none.
func Source(pkg string) (files []front.Source) {
	dir := path.Join("_std", pkg)
	if pkg == HostPackage {
		dir = "_host"
	}
	entries, err := std.ReadDir(dir)
	if err != nil || path.Clean("/"+pkg) != "/"+pkg {
		return nil
	}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".go" {
			continue
		}
		text, err := std.ReadFile(path.Join(dir, e.Name()))
		if err == nil {
			files = append(files, front.Source{Name: path.Join(pkg, e.Name()), Text: text})
		}
	}
	return files
}

// Natives is the table of the functions that have no body, by name.
func Natives() map[string]Func {
	table := map[string]Func{}
	for _, part := range []map[string]Func{
		runtimeNatives(), timeNatives(), fmtNatives(), osNatives(),
		strconvNatives(), stringsNatives(), unicodeNatives(), mathNatives(), errorsNatives(), hostNatives(), watchNatives(),
	} {
		maps.Copy(table, part)
	}
	return table
}
