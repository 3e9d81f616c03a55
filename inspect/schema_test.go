package inspect_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/inspect"
)

var (
	headline = regexp.MustCompile(`^##+ (.*)$`)
	row      = regexp.MustCompile("^\\| `(\\w+)` \\| (number|text|true|list|object) \\| (.*) \\|$")
)

// field is what a reader of the JSON has to know of a field.
type field struct {
	kind     string
	optional bool
}

// documented are the fields that a page documents, by type.
func documented(t *testing.T, page string) map[string]map[string]field {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	all, at := map[string]map[string]field{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if m := headline.FindStringSubmatch(line); m != nil {
			at = m[1]
		}
		if m := row.FindStringSubmatch(line); m != nil {
			if all[at] == nil {
				all[at] = map[string]field{}
			}
			require.NotContains(t, all[at], m[1], "documented twice")
			all[at][m[1]] = field{m[2], strings.Contains(m[3], "absent")}
		}
	}
	return all
}

// declared are the fields of a struct and of those in it, by type.
func declared(all map[string]map[string]field, of reflect.Type) {
	for of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || all[of.Name()] != nil {
		return
	}
	fields := map[string]field{}
	all[of.Name()] = fields
	for i := range of.NumField() {
		f := of.Field(i)
		name, omit, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[name] = field{kindOf(f.Type), omit == "omitempty"}
		declared(all, f.Type)
	}
}

func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true" // one that is false is absent
	case reflect.Slice:
		return "list"
	case reflect.Struct:
		return "object"
	}
	return "number"
}

func TestEveryFieldOfTheReportsIsDocumentedAndNoOther(t *testing.T) {
	want := map[string]map[string]field{}
	declared(want, reflect.TypeFor[inspect.Report]())
	declared(want, reflect.TypeFor[inspect.SetReport]())
	want["The report"] = want["Report"]
	delete(want, "Report")
	require.Equal(t, want, documented(t, "../docs/inspect.md"))
}
