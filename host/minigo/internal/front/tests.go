package front

import (
	"bytes"
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkMain checks the program's own files: package main, or a package of tests with the package
// main that runs them, as go test makes it.
func (c *checker) checkMain(files []Source) (*Package, error) {
	syntax, err := c.parse(files)
	if err != nil {
		return nil, err
	}
	functions := functionsOf(syntax)
	tests := slices.DeleteFunc(slices.Clone(functions), func(name string) bool { return !isTestName(name) })
	isProgram := slices.Contains(functions, "main") && !slices.ContainsFunc(files, isTestFile)
	if len(tests) == 0 || isProgram || c.std == nil {
		return c.check("main", syntax, true)
	}
	if c.done[tested], err = c.check(tested, syntax, true); err != nil {
		return nil, err
	}
	syntax, err = c.parse([]Source{{Name: "testmain.go", Text: testMain(tests, slices.Contains(functions, "TestMain"))}})
	if err != nil {
		return nil, err
	}
	return c.check("main", syntax, false)
}

// tested is the path of a package of tests.
const tested = "_test"

// functionsOf are the names of the functions of a package, in order.
func functionsOf(files []*ast.File) (names []string) {
	for _, f := range files {
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

func isTestFile(f Source) bool { return strings.HasSuffix(f.Name, "_test.go") }

// isTestName is the rule of go test.
func isTestName(name string) bool {
	rest, ok := strings.CutPrefix(name, "Test")
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && name != "TestMain" && !unicode.IsLower(first)
}

// testMain is the package main that runs tests; own says that they have a TestMain.
func testMain(tests []string, own bool) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package main\n\nimport (\n\t\"testing\"\n\n\ttests %q\n)\n\nfunc main() {\n\ttesting.RunMain([]testing.InternalTest{\n", tested)
	for _, name := range tests {
		fmt.Fprintf(&b, "\t\t{%q, tests.%s},\n", name, name)
	}
	first := "nil"
	if own {
		first = "tests.TestMain"
	}
	fmt.Fprintf(&b, "\t}, %s)\n}\n", first)
	return b.Bytes()
}
