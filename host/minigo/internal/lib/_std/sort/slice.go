package sort

// length and swap work on a slice of any type; swap exchanges two elements.
func length(slice any) int
func swap(slice any, i, j int)

type anySlice struct {
	slice any
	n     int
	less  func(i, j int) bool
}

func (a *anySlice) Len() int           { return a.n }
func (a *anySlice) Less(i, j int) bool { return a.less(i, j) }
func (a *anySlice) Swap(i, j int)      { swap(a.slice, i, j) }

func Slice(x any, less func(i, j int) bool)       { Sort(&anySlice{x, length(x), less}) }
func SliceStable(x any, less func(i, j int) bool) { Stable(&anySlice{x, length(x), less}) }

func SliceIsSorted(x any, less func(i, j int) bool) bool {
	return IsSorted(&anySlice{x, length(x), less})
}

type IntSlice []int

func (x IntSlice) Len() int           { return len(x) }
func (x IntSlice) Less(i, j int) bool { return x[i] < x[j] }
func (x IntSlice) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }
func (x IntSlice) Sort()              { Sort(x) }

type Float64Slice []float64

func (x Float64Slice) Len() int           { return len(x) }
func (x Float64Slice) Less(i, j int) bool { return x[i] < x[j] || x[i] != x[i] && x[j] == x[j] }
func (x Float64Slice) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }
func (x Float64Slice) Sort()              { Sort(x) }

type StringSlice []string

func (x StringSlice) Len() int           { return len(x) }
func (x StringSlice) Less(i, j int) bool { return x[i] < x[j] }
func (x StringSlice) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }
func (x StringSlice) Sort()              { Sort(x) }

func Ints(x []int)         { Sort(IntSlice(x)) }
func Float64s(x []float64) { Sort(Float64Slice(x)) }
func Strings(x []string)   { Sort(StringSlice(x)) }

func IntsAreSorted(x []int) bool         { return IsSorted(IntSlice(x)) }
func Float64sAreSorted(x []float64) bool { return IsSorted(Float64Slice(x)) }
func StringsAreSorted(x []string) bool   { return IsSorted(StringSlice(x)) }

func SearchInts(a []int, x int) int {
	return Search(len(a), func(i int) bool { return a[i] >= x })
}

func SearchStrings(a []string, x string) int {
	return Search(len(a), func(i int) bool { return a[i] >= x })
}

func SearchFloat64s(a []float64, x float64) int {
	return Search(len(a), func(i int) bool { return a[i] >= x })
}
