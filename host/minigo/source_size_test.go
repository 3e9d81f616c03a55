package minigo_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
)

func TestASourceThatIsTooLargeIsNotCompiled(t *testing.T) {
	file := minigo.File{Name: "x.go", Text: []byte("package main\n\nfunc main() {}\n")}
	_, err := minigo.CompileUpTo(2*len(file.Text), file)
	require.NoError(t, err)
	_, err = minigo.CompileUpTo(len(file.Text)-1, file)
	var large *minigo.SourceSizeError
	require.True(t, errors.As(err, &large))
	require.Equal(t, minigo.SourceSizeError{Size: len(file.Text), Limit: len(file.Text) - 1}, *large)
	_, err = minigo.Compile(minigo.File{Name: "x.go", Text: make([]byte, minigo.MaxSource+1)})
	require.True(t, errors.As(err, &large))
}
