package policy

import (
	"strings"
	"testing"
	"testing/fstest"
)

// shown is a package with one of everything the listing must show or leave out.
const shown = `package fiber

import "errors"

type Box[T any, K comparable] struct {
	Name, Title string
	Anchor
	hidden int
}

func (b *Box[T, K]) Open(
	n int,
) (T, error)
func (b Box[T, K]) close() {}

type Anchor struct{}
type Alias = Anchor
type State uint8
type Source interface {
	Anchor
	Withdraw(State) bool
}
type own int

func (own) Method() {}

const (
	Dead State = iota
	Alive
	lost
)
const Max = 1 << 3

var ErrBad = errors.New("bad")

func Make(n int) (*Box[int, string], error)
func hidden()
`

const listing = `type Alias = Anchor
const Alive State = iota where iota = 1
type Anchor struct
type Box[T any, K comparable] struct
	embeds Anchor
	field Name string
	field Title string
	func (*Box) Open(n int) (T, error)
const Dead State = iota where iota = 0
var ErrBad = errors.New("bad")
func Make(n int) (*Box[int, string], error)
const Max = 1 << 3
type Source interface
	embeds Anchor
	method Withdraw(State) bool
type State uint8
`

func TestTheListingShowsEveryExportedDeclarationAndNothingElse(t *testing.T) {
	tr := fixture(t, map[string]string{
		"fiber/a.go":       shown,
		"fiber/windows.go": "//go:build windows\n\npackage fiber\n\nfunc Elsewhere()\n",
		"fiber/checked.go": "//go:build invariants\n\npackage fiber\n\nfunc Checked()\n",
		"fiber/a_test.go":  "package fiber\n\nfunc InTest()\n",
	})
	got, err := exported(tr, tr.named("fiber"))
	if err != nil {
		t.Fatal(err)
	}
	if got.text() != listing {
		t.Errorf("listing differs:\n%s", changes(listing, got.text()))
	}
	if n := got.tally(); n != (tally{5, 1, 3, 1, 6}) {
		t.Errorf("counted %v", n)
	}
}

func TestAnAPIThatChangedIsShownLineByLine(t *testing.T) {
	tr := fixture(t, map[string]string{
		"fiber/a.go":          "package fiber\n\nfunc New()\n",
		"docs/api/fiber.txt":  "# package fiber: as it was\nfunc Old()\n",
		"docs/api/gone.txt":   "func Gone()\n",
		"docs/api/total.txt":  "nothing\n",
		"reactor/doc_test.go": "package reactor\n",
	})
	want, err := apiListings(tr)
	if err != nil {
		t.Fatal(err)
	}
	found := differences(tr, want)
	if len(found) != 3 {
		t.Fatalf("found %v, want fiber.txt, gone.txt and total.txt", found)
	}
	if text := found[0].String(); !strings.Contains(text, "-func Old()\n") || !strings.Contains(text, "+func New()\n") {
		t.Errorf("the difference does not show what came and went:\n%s", text)
	}
}

// fixture parses a module made of these files.
func fixture(t *testing.T, files map[string]string) *tree {
	t.Helper()
	disk := fstest.MapFS{}
	for name, text := range files {
		disk[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tr, err := parseTree(disk)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}
