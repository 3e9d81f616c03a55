package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/reactor"
)

// setting is a row of the table in docs/settings.md.
type setting struct {
	name, variable, byDefault string
	flags, fields             []string
}

var quoted = regexp.MustCompile("`([^`]+)`")

func codeSpans(cell string) (all []string) {
	for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
		all = append(all, m[1])
	}
	return all
}

func settings(t *testing.T) (all []setting, page string) {
	text, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, " | ")
		if len(cells) != 6 || strings.HasPrefix(line, "| setting") {
			continue
		}
		all = append(all, setting{
			name: strings.TrimPrefix(cells[0], "| "), variable: strings.Join(codeSpans(cells[2]), " "), byDefault: cells[4],
			flags: codeSpans(cells[1]), fields: codeSpans(cells[3]),
		})
	}
	if len(all) < 15 {
		t.Fatalf("docs/settings.md has %d settings", len(all))
	}
	return all, string(text)
}

func TestASettingHasOneName(t *testing.T) {
	all, _ := settings(t)
	for _, s := range all {
		if len(s.flags) > 0 && s.flags[0] != "--"+s.name {
			t.Errorf("%s: the flag is %s", s.name, s.flags[0])
		}
		if want := "SELVAGE_" + strings.ToUpper(strings.ReplaceAll(s.name, "-", "_")); s.variable != "" && s.variable != want {
			t.Errorf("%s: the variable is %s, want %s", s.name, s.variable, want)
		}
		for _, field := range s.fields {
			parts := strings.Split(field, ".") // folder, type, field
			name := parts[2]
			switch parts[0] {
			case "sandbox": // a flag adds to its field
				name = s.name
			case "quota":
				name = "Max" + name
			}
			if got := strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(name), "-", ""), "s"); got != strings.TrimSuffix(strings.ReplaceAll(s.name, "-", ""), "s") {
				t.Errorf("%s: the field is %s", s.name, field)
			}
			if !hasField(t, parts[0], parts[1], parts[2]) {
				t.Errorf("%s: there is no field %s", s.name, field)
			}
		}
	}
}

// hasField looks for a field of a struct in the source of a package.
func hasField(t *testing.T, folder, structName, field string) (found bool) {
	files, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == structName {
				if s, ok := spec.Type.(*ast.StructType); ok {
					for _, f := range s.Fields.List {
						found = found || slices.ContainsFunc(f.Names, func(n *ast.Ident) bool { return n.Name == field })
					}
				}
			}
			return true
		})
	}
	return found
}

func TestTheTableOfSettingsHasEveryFlag(t *testing.T) {
	all, _ := settings(t)
	byFlag := map[string]setting{}
	for _, s := range all {
		if len(s.flags) > 0 {
			byFlag[s.flags[0]] = s
		}
	}
	flags := map[string]bool{}
	commands := slices.Concat(reflect.VisibleFields(reflect.TypeFor[cli]()), reflect.VisibleFields(reflect.TypeFor[runCmd]()), reflect.VisibleFields(reflect.TypeFor[topCmd]()), reflect.VisibleFields(reflect.TypeFor[exploreCmd]()))
	for _, f := range commands {
		_, isArg := f.Tag.Lookup("arg")
		_, isCommand := f.Tag.Lookup("cmd")
		if isArg || isCommand || f.Anonymous {
			continue
		}
		name := f.Tag.Get("name")
		if name == "" {
			name = kebab(f.Name)
		}
		flags[name] = true
		s, listed := byFlag["--"+name]
		if !listed {
			t.Errorf("--%s is not in the table", name)
			continue
		}
		if s.variable != f.Tag.Get("env") {
			t.Errorf("--%s: its variable is %q, in the table %q", name, f.Tag.Get("env"), s.variable)
		}
		if alias := f.Tag.Get("aliases"); alias != strings.TrimPrefix(strings.Join(s.flags[1:], " "), "--") {
			t.Errorf("--%s: its alias is %q, in the table %v", name, alias, s.flags[1:])
		}
		if d := f.Tag.Get("default"); d != "" && d != s.byDefault {
			t.Errorf("--%s: its default is %s, in the table %s", name, d, s.byDefault)
		}
	}
	if len(flags) != len(byFlag) {
		t.Errorf("selvage, selvage run, selvage top and selvage explore have %d flags, the table %d", len(flags), len(byFlag))
	}
}

// kebab is the flag of a field without a name of its own.
func kebab(field string) string {
	return strings.ToLower(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(field, "$1-$2"))
}

func TestTheTableOfSettingsHasEveryVariable(t *testing.T) {
	all, page := settings(t)
	var read []string
	_, err := reactor.Config{}.FromEnv(func(name string) (string, bool) { read = append(read, name); return "", false })
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if s.variable != "" && len(s.fields) > 0 && !slices.Contains(read, s.variable) {
			t.Errorf("FromEnv does not read %s", s.variable)
		}
	}
	for _, name := range append(read, variablesInSource(t)...) {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("docs/settings.md does not have %s", name)
		}
	}
}

// variablesInSource are those in the string literals of what is delivered. A test has its own,
// and so have the tools and the statuses of host/native.
func variablesInSource(t *testing.T) (all []string) {
	variable := regexp.MustCompile(`"(SELVAGE_[A-Z_]+)["=]`)
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "bench", "internal", "native", "spec", "testdata"}, d.Name()) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		for _, m := range variable.FindAllStringSubmatch(string(text), -1) {
			all = append(all, m[1])
		}
		return err
	})
	if err != nil || !slices.Contains(all, "SELVAGE_NUM_THREADS") {
		t.Fatal("the search of the source has failed: ", err, all)
	}
	return all
}

func TestOldNamesOfSettings(t *testing.T) {
	_, page := settings(t)
	_, old, _ := strings.Cut(page, "## Old names")
	for line := range strings.Lines(old) {
		names := codeSpans(line)
		switch {
		case len(names) == 0:
		case strings.HasPrefix(names[0], "--"):
			guest(t, "print(1)", names[0], "5").wantOut(t, "1\n")
		case names[0] != "SELVAGE_NUM_THREADS": // that is a pool's, and selvage run has none
			t.Run(names[0], func(t *testing.T) {
				t.Setenv(names[0], "1")
				guest(t, "print(1)").want(t, statusUsage, names[0]+" has a new name: set "+names[1])
			})
		}
	}
}
