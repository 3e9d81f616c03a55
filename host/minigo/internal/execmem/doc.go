// Package execmem holds machine code in executable pages, and is the way into it.
//
// Pages are written before they are executable and never again after that: no page is ever
// both. A Context is what code finds when it is entered and what it leaves behind; enter
// (enter_amd64.s) is the only Go function that calls code. Code runs on no stack of its own,
// calls nothing, and leaves all registers but SP, BP and those that Go's assembly may use
// as it likes. The collector never stops or looks at it: who enters it must see to it that
// it soon returns.
//
// What it never does: make code, or know what it does.
package execmem
