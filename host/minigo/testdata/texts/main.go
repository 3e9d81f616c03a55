package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

func main() {
	bad := []string{"", "a", "\xff", "a\xffb", "\xc3", "\xe2\x82", "\xe2\x82\xac", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf0\x9f\x98\x80", "\xc0\x80", "héllo\x80世", "\xe2\x28\xa1", "\xf0\x9f\x98", "\ufffd", "\x00", "é\xe9"}
	for _, s := range bad {
		fmt.Printf("%q %x %v %v %q %d %v\n", s, s, []byte(s), []rune(s), string([]rune(s)), utf8.RuneCountInString(s), utf8.ValidString(s))
		for i, r := range s {
			fmt.Print(i, ":", r, " ")
		}
		for i := range s {
			fmt.Print(i, ",", s[i], " ")
		}
		fmt.Println(len(s), strings.ToUpper(s), strings.ToLower(s), strings.ToTitle(s))
		r, n := utf8.DecodeRuneInString(s)
		r2, n2 := utf8.DecodeLastRuneInString(s)
		r3, n3 := utf8.DecodeRune([]byte(s))
		r4, n4 := utf8.DecodeLastRune([]byte(s))
		fmt.Println(r, n, r2, n2, r3, n3, r4, n4, utf8.FullRune([]byte(s)), utf8.RuneCount([]byte(s)), utf8.Valid([]byte(s)))
		fmt.Printf("%q %q %q\n", strings.Map(func(r rune) rune {
			if r == 'a' {
				return -1
			}
			return r
		}, s), strings.TrimFunc(s, func(r rune) bool { return r == 0xfffd }), strings.FieldsFunc(s, func(r rune) bool { return r > 127 }))
		fmt.Printf("%q %q %q %q\n", strings.Split(s, ""), strings.SplitN(s, "", 2), strings.SplitAfter(s, "\xff"), strings.Fields(s))
		fmt.Println(strings.IndexRune(s, 0xfffd), strings.IndexRune(s, 0xd800), strings.IndexRune(s, -1), strings.IndexRune(s, 'b'), strings.ContainsRune(s, utf8.RuneError), strings.IndexAny(s, "\xff"), strings.Count(s, ""), strings.IndexByte(s, 0xff), strings.IndexFunc(s, unicode.IsLetter), strings.LastIndexFunc(s, unicode.IsLetter))
		fmt.Printf("%q %q %q %q\n", strings.Replace(s, "", "-", -1), strings.Replace(s, "", "-", 2), strings.ReplaceAll(s, "\xff", "FF"), strings.NewReplacer("\xff", "1", "a", "2", "", "3").Replace(s))
		fmt.Println(strings.EqualFold(s, strings.ToUpper(s)), strings.Compare(s, "b"), s < "b", s == string([]byte(s)))
	}
	for _, r := range []rune{0, 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x10ffff, 0x110000, -1, 1<<31 - 1, -1 << 31} {
		fmt.Printf("%q %x %d %v %q %q %v %v %v %q\n", string(r), string(r), utf8.RuneLen(r), utf8.ValidRune(r), []rune{r}, string([]rune{r, 'x'}), unicode.IsLetter(r), unicode.IsUpper(r), unicode.IsSpace(r), unicode.ToUpper(r))
		var b strings.Builder
		n, _ := b.WriteRune(r)
		fmt.Println(n, b.Len(), utf8.AppendRune(nil, r))
		p := make([]byte, 4)
		fmt.Println(utf8.EncodeRune(p, r), p)
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		utf8.EncodeRune(make([]byte, 1), 'é')
	}()
	var bs []byte
	bs = append(bs, "héé\xff"...)
	copy(bs[1:], "ZZZZZZZZZZZZZ")
	fmt.Println(string(bs), string(bs[:0]), string([]byte(nil)) == "")
	type B []byte
	type R []rune
	type S string
	fmt.Println(string(B("hi")), R(S("hé")), S(B{65}), B(S("x")), string(R{0x4e16}), S("a")+"b", S("abc")[1:], []byte(S("q")))
	x := "a" + string(rune(65)) + string(byte(66))
	fmt.Println(x, len(x), x[len(x)-1:], x[3:] == "")
	sw := "case\xff"
	switch sw {
	case "case\xfe":
		fmt.Println("no")
	case "case\xff":
		fmt.Println("yes")
	}
	for i, c := range []byte("é") {
		fmt.Println(i, c)
	}
	t := "loop"
	for i, c := range t {
		t = "changed"
		fmt.Print(i, string(c))
	}
	fmt.Println(t)
	fmt.Printf("%q\n", `raw\n"'`+"\a\b\f\n\r\t\v\\\x41\101\u00e9\U0001F600")
	fmt.Println("\xe4\xb8" + "\x96")
	fmt.Println(strings.Compare("a\xff", "a\xfe"), "a\xff" > "aé")
	fmt.Printf("%s|%v|%q|%+q|%x|% x|%#x|%U\n", "\xff\xfe", "\xff", "\xff\u200b", "é\xff", "\xff", "\xffa", "\xffa", []rune("\xff"))
	fmt.Printf("%5s|%-5s|%5q|%.2s|%.2q|%c\n", "é", "世", "\xff", "世界人", "世界人", []rune("世\xff"))
}
