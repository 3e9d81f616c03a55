package policy

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/printer"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// surface is the exported API of one package: each declaration on a line of its own,
// the methods and fields of a type below it.
type surface struct {
	fset    *token.FileSet
	decls   map[string]string   // name → line
	members map[string][]string // type name → lines
}

// exported collects the surface of the package in the default build.
func exported(tr *tree, p *pkg) (*surface, error) {
	s := &surface{tr.fset, map[string]string{}, map[string][]string{}}
	for _, f := range p.files {
		in, err := inDefaultBuild(tr.root, f.path)
		if err != nil {
			return nil, err
		}
		if !in {
			continue
		}
		for _, d := range f.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				s.function(d)
			case *ast.GenDecl:
				s.group(d)
			}
		}
	}
	return s, nil
}

// inDefaultBuild reports whether the file is built on linux/amd64 without tags: the
// listing must not depend on the machine that writes it.
func inDefaultBuild(root fs.FS, name string) (bool, error) {
	ctx := build.Context{
		GOOS: "linux", GOARCH: "amd64", Compiler: "gc", CgoEnabled: false,
		ReleaseTags: build.Default.ReleaseTags,
		JoinPath:    path.Join,
		OpenFile:    func(name string) (io.ReadCloser, error) { return root.Open(name) },
	}
	return ctx.MatchFile(path.Dir(name), path.Base(name))
}

func (s *surface) function(d *ast.FuncDecl) {
	if !d.Name.IsExported() || !exportedReceiver(d) {
		return
	}
	if d.Recv == nil {
		s.decls[d.Name.Name] = "func " + d.Name.Name + s.signature(d.Type)
		return
	}
	star := ""
	if _, pointer := d.Recv.List[0].Type.(*ast.StarExpr); pointer {
		star = "*"
	}
	owner := receiverName(d)
	s.members[owner] = append(s.members[owner], "func ("+star+owner+") "+d.Name.Name+s.signature(d.Type))
}

func (s *surface) group(d *ast.GenDecl) {
	var last *ast.ValueSpec // a constant without a value repeats the one above
	for place, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.typ(spec)
		case *ast.ValueSpec:
			if d.Tok == token.CONST && len(spec.Values) > 0 {
				last = spec
			}
			s.values(d.Tok, spec, last, place)
		}
	}
}

func (s *surface) values(tok token.Token, spec, last *ast.ValueSpec, place int) {
	if tok == token.VAR || last == nil {
		last = spec
	}
	for i, id := range spec.Names {
		if !id.IsExported() {
			continue
		}
		line := tok.String() + " " + id.Name
		if last.Type != nil {
			line += " " + s.print(last.Type)
		}
		if i < len(last.Values) {
			value := s.print(last.Values[i])
			line += " = " + value
			if strings.Contains(value, "iota") {
				line += fmt.Sprintf(" where iota = %d", place)
			}
		}
		s.decls[id.Name] = line
	}
}

func (s *surface) typ(spec *ast.TypeSpec) {
	if !spec.Name.IsExported() {
		return
	}
	name := spec.Name.Name
	head := "type " + name
	if spec.TypeParams != nil {
		head += "[" + s.fields(spec.TypeParams) + "]"
	}
	switch t := spec.Type.(type) {
	case *ast.StructType:
		head += " struct"
		s.listMembers(name, "field", t.Fields)
	case *ast.InterfaceType:
		head += " interface"
		s.listMembers(name, "method", t.Methods)
	default:
		if spec.Assign.IsValid() {
			head += " ="
		}
		head += " " + s.print(spec.Type)
	}
	s.decls[name] = head
}

// listMembers lists the exported fields of a struct or methods of an interface; what
// is embedded counts as exported, for its methods show.
func (s *surface) listMembers(owner, kind string, list *ast.FieldList) {
	for _, f := range list.List {
		if len(f.Names) == 0 {
			s.members[owner] = append(s.members[owner], "embeds "+s.print(f.Type))
		}
		for _, id := range f.Names {
			if !id.IsExported() {
				continue
			}
			line := kind + " " + id.Name
			if sig, ok := f.Type.(*ast.FuncType); ok && kind == "method" {
				line += s.signature(sig)
			} else {
				line += " " + s.print(f.Type)
			}
			s.members[owner] = append(s.members[owner], line)
		}
	}
}

func (s *surface) signature(t *ast.FuncType) string {
	return strings.TrimPrefix(s.print(t), "func")
}

func (s *surface) fields(list *ast.FieldList) string {
	var parts []string
	for _, f := range list.List {
		var names []string
		for _, id := range f.Names {
			names = append(names, id.Name)
		}
		parts = append(parts, strings.Join(names, ", ")+" "+s.print(f.Type))
	}
	return strings.Join(parts, ", ")
}

// print gives source text on one line.
func (s *surface) print(n ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, s.fset, n); err != nil {
		return "unprintable: " + err.Error()
	}
	line := strings.Join(strings.Fields(b.String()), " ")
	return strings.NewReplacer("( ", "(", ", )", ")").Replace(line)
}

// text is the listing: declarations by name, members indented below their type.
func (s *surface) text() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.decls)) {
		b.WriteString(s.decls[name] + "\n")
		slices.Sort(s.members[name])
		for _, m := range s.members[name] {
			b.WriteString("\t" + m + "\n")
		}
	}
	return b.String()
}
