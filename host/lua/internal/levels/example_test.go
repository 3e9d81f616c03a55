package levels_test

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/host/lua/internal/levels"
)

func ExampleCheck() {
	fmt.Println(levels.Check("return not not not a", "fine.lua"))
	fmt.Println(levels.Check("return"+strings.Repeat(" not", 3_000_000)+" a", "deep.lua"))
	// Output:
	// <nil>
	// deep.lua:1: chunk has too many syntax levels
}
