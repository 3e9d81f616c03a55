package lib

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/front"
)

//go:embed _std _host
var std embed.FS

// HostPackage is the package that what the host binds is made of.
const HostPackage = "host"

// Source is the source of a package of the library; empty if there is none.
func Source(pkg string) []front.Source { return source(pkg, false) }

// ExploredSource is Source for a program that is to be explored: NAME_explored.go replaces NAME.go.
func ExploredSource(pkg string) []front.Source { return source(pkg, true) }

func source(pkg string, explored bool) (files []front.Source) {
	dir := path.Join("_std", pkg)
	if pkg == HostPackage {
		dir = "_host"
	}
	entries, err := std.ReadDir(dir)
	if err != nil || path.Clean("/"+pkg) != "/"+pkg {
		return nil
	}
	for _, e := range entries {
		name, isSource := strings.CutSuffix(e.Name(), ".go")
		_, forExplored := strings.CutSuffix(name, explorable)
		replaced := explored && exists(path.Join(dir, name+explorable+".go"))
		if !isSource || forExplored && !explored || replaced {
			continue
		}
		text, err := std.ReadFile(path.Join(dir, e.Name()))
		if err == nil {
			files = append(files, front.Source{Name: path.Join(pkg, e.Name()), Text: text})
		}
	}
	return files
}

// explorable is the end of the name of a file for programs that are to be explored.
const explorable = "_explored"

func exists(name string) bool {
	_, err := fs.Stat(std, name)
	return err == nil
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
