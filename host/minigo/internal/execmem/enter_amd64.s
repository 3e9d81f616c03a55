#include "go_asm.h"
#include "textflag.h"

// func enter(c *Context, at uintptr)
//
// No goroutine is stopped in a function of assembly: the write barrier stays as it is found.
TEXT ·enter(SB), NOSPLIT, $8-16
	MOVQ c+0(FP), R14
	MOVQ at+8(FP), AX
	MOVQ Context_Frames(R14), CX
	CMPB runtime·writeBarrier(SB), $0
	JEQ  off
	CMPB Context_WritesRefs(R14), $0
	JNE  refuse
	MOVQ Context_Frame(R14), CX // what it would return to may write references
off:
	MOVQ CX, Context_Bottom(R14)
	MOVQ Context_N(R14), BX
	MOVQ Context_Budget(R14), R15
	CALL AX
	MOVQ BX, Context_N(R14)
	MOVQ R15, Context_Budget(R14)
	MOVQ AX, Context_Exit(R14)
	RET
refuse:
	MOVQ $const_Refused, AX
	MOVQ AX, Context_Exit(R14)
	RET
