package compile

import "go/types"

// is reports whether the type that underlies t is a T.
func is[T types.Type](t types.Type) bool {
	_, ok := t.Underlying().(T)
	return ok
}

func isInterface(t types.Type) bool { return is[*types.Interface](t) }
func isPointer(t types.Type) bool   { return is[*types.Pointer](t) }
func isSlice(t types.Type) bool     { return is[*types.Slice](t) }
func isBasic(t types.Type) bool     { return is[*types.Basic](t) }
func isAggregate(t types.Type) bool { return is[*types.Struct](t) || is[*types.Array](t) }

// hasInfo reports whether t is a basic type with one of the properties.
func hasInfo(t types.Type, any types.BasicInfo) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&any != 0
}

func isString(t types.Type) bool   { return hasInfo(t, types.IsString) }
func isFloat(t types.Type) bool    { return hasInfo(t, types.IsFloat) }
func isInteger(t types.Type) bool  { return hasInfo(t, types.IsInteger) }
func isUnsigned(t types.Type) bool { return hasInfo(t, types.IsUnsigned) }
func isNumber(t types.Type) bool   { return isInteger(t) || isFloat(t) }
func isWord(t types.Type) bool     { return hasInfo(t, types.IsInteger|types.IsBoolean) }

// kindOf is the kind of a basic type; types.Invalid if t is none.
func kindOf(t types.Type) types.BasicKind {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Kind()
	}
	return types.Invalid
}

func is32(t types.Type) bool { return kindOf(t) == types.Float32 }

func isRunes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && kindOf(s.Elem()) == types.Int32
}
