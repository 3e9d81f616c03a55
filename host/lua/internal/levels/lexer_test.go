package levels

import (
	"strings"
	"testing"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// meanings are the tokens of gopher-lua.
var meanings = [...]struct {
	token token
	types []int
}{
	{name, []int{parse.TIdent}},
	{constant, []int{parse.TNumber, parse.TNil, parse.TTrue, parse.TFalse, parse.T3Comma}},
	{text, []int{parse.TString}},
	{paren, []int{'('}},
	{brace, []int{'{'}},
	{bracket, []int{'['}},
	{closing, []int{')', '}', ']', parse.TEnd, parse.TUntil}},
	{operator, []int{'+', '-', '*', '/', '%', '^', '#', '<', '>', '.', parse.TLte, parse.TGte, parse.TEqeq, parse.TNeq,
		parse.T2Comma, parse.TAnd, parse.TOr, parse.TNot}},
	{colon, []int{':'}},
	{function, []int{parse.TFunction}},
	{block, []int{parse.TDo, parse.TIf, parse.TRepeat}},
	{elseif, []int{parse.TElseIf}},
	{declaration, []int{parse.TLocal, parse.TGoto}},
	{comma, []int{','}},
	{separator, []int{'=', ';', parse.T2Colon, parse.TBreak, parse.TElse, parse.TFor, parse.TIn, parse.TReturn, parse.TThen,
		parse.TWhile}},
}

func meaning(t ast.Token) token {
	for _, m := range meanings {
		for _, typ := range m.types {
			if typ == t.Type {
				return m.token
			}
		}
	}
	return stop
}

// starts are what changes the meaning of what follows, characters what ends that and what
// makes one token of two.
var (
	starts     = [...]string{"", `"`, "[=[", "--[[", "--", "1e"}
	characters = [...]string{"\n", "\r", " ", "\\", "\"", "'", "-", "[", "]", "=", "~", ">", ".", ":", "0", "x", "e", "+", "(", "\x00"}
)

func TestTokensAreReadAsGopherLuaReadsThem(t *testing.T) {
	for _, start := range starts {
		for _, a := range characters {
			for _, b := range characters {
				for _, c := range characters {
					readsAlike(t, start+a+b+c+`"]=]x`)
				}
			}
		}
	}
}

// words are the tokens that consist of letters, and characters that are none.
var words = strings.Fields(`and break do else elseif end false for function if in local nil not or repeat return then
	true until while goto andy _end End e1 0xfg 0XAF 1.5.5 .5.5.5 1e+5 1E-5x 0e 0x 017 é \v \ff # ; , * ^ % ]===] {}`)

func TestWordsAndNumbersAreReadAsGopherLuaReadsThem(t *testing.T) {
	for _, a := range words {
		for _, b := range words {
			readsAlike(t, a+b)
			readsAlike(t, a+" "+b)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("local s = 'a\\\r\n' --[==[\n]==] .. [[x]]")
	f.Fuzz(func(t *testing.T, source string) { readsAlike(t, source) })
}

func readsAlike(t *testing.T, source string) {
	ours := &lexer{src: source}
	theirs, state := parse.NewScanner(strings.NewReader(source), ""), &parse.Lexer{}
	for {
		tok, err := theirs.Scan(state)
		want := meaning(tok)
		if err != nil {
			want = stop
		}
		got, read := ours.next(), source[:ours.pos]
		if got != want {
			t.Fatalf("%q after %q: token %d; want %d", source, read, got, want)
		}
		if want == stop {
			return
		}
		if n := theirs.Pos.Line; n != parse.EOF && n != line(read) {
			t.Fatalf("after %q: line %d; want %d", read, line(read), n)
		}
	}
}
