package minigo_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
)

const looks = `package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	for _, name := range []string{"COLOR", "EMPTY", "PATH", "", "no variable"} {
		value, found := os.LookupEnv(name)
		fmt.Println(name, value, found, os.Getenv(name) == value)
	}
	fmt.Println(time.Now().Unix())
}
`

// The environment of the process is not the program's.
func TestAProgramReachesWhatItsAccessHas(t *testing.T) {
	t.Setenv("COLOR", "of the process")
	out, err := run(t, "looks.go", []byte(looks), minigo.Config{})
	require.NoError(t, err)
	require.Equal(t, "COLOR  false true\nEMPTY  false true\nPATH  false true\n  false true\nno variable  false true\n0\n", out)

	out, err = run(t, "looks.go", []byte(looks), minigo.Config{Access: sandbox.Access{
		Env:   []string{"COLOR=green=1", "COLOR=red", "EMPTY=", "no variable", "=x"},
		Start: time.Unix(7, 0),
	}})
	require.NoError(t, err)
	require.Equal(t, "COLOR green=1 true true\nEMPTY  true true\nPATH  false true\n  false true\nno variable  false true\n7\n", out)
}
