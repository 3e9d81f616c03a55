package amd64_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/arch/x86/x86asm"

	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
)

// disassemble is what an independent reader makes of the code, in the processor's own syntax.
func disassemble(t *testing.T, code []byte) (lines []string) {
	t.Helper()
	for pc := 0; pc < len(code); {
		in, err := x86asm.Decode(code[pc:], 64)
		require.NoError(t, err, "% x", code[pc:])
		lines = append(lines, x86asm.IntelSyntax(in, uint64(pc), nil))
		pc += in.Len
	}
	return lines
}

// written is one instruction.
func written(t *testing.T, write func(a *amd64.Asm)) string {
	t.Helper()
	var a amd64.Asm
	write(&a)
	lines := disassemble(t, a.Bytes())
	require.Len(t, lines, 1)
	return lines[0]
}

func TestInstructionsAreWhatTheySay(t *testing.T) {
	mem := amd64.At(amd64.BX, 24)
	for want, write := range map[string]func(a *amd64.Asm){
		"add rsi, r9":                         func(a *amd64.Asm) { a.Op(amd64.Add, amd64.SI, amd64.In(amd64.R9)) },
		"sub rax, qword ptr [rbx+0x18]":       func(a *amd64.Asm) { a.Op(amd64.Sub, amd64.AX, mem) },
		"cmp qword ptr [rbx+0x18], r10":       func(a *amd64.Asm) { a.OpTo(amd64.Cmp, mem, amd64.R10) },
		"xor r8, 0x1":                         func(a *amd64.Asm) { a.OpImm(amd64.Xor, amd64.In(amd64.R8), 1) },
		"and rdi, 0x12345":                    func(a *amd64.Asm) { a.OpImm(amd64.And, amd64.In(amd64.DI), 0x12345) },
		"cmp dword ptr [rbx+0x18], 0x1234":    func(a *amd64.Asm) { a.Op32Imm(amd64.Cmp, mem, 0x1234) },
		"add eax, 0x7":                        func(a *amd64.Asm) { a.Op32Imm(amd64.Add, amd64.In(amd64.AX), 7) },
		"sbb rdx, rdx":                        func(a *amd64.Asm) { a.Op(amd64.Sbb, amd64.DX, amd64.In(amd64.DX)) },
		"neg r11":                             func(a *amd64.Asm) { a.Unary(amd64.Neg, amd64.In(amd64.R11)) },
		"not rcx":                             func(a *amd64.Asm) { a.Unary(amd64.Not, amd64.In(amd64.CX)) },
		"imul rcx":                            func(a *amd64.Asm) { a.Unary(amd64.Imul, amd64.In(amd64.CX)) },
		"idiv rcx":                            func(a *amd64.Asm) { a.Unary(amd64.Idiv, amd64.In(amd64.CX)) },
		"div rcx":                             func(a *amd64.Asm) { a.Unary(amd64.Div, amd64.In(amd64.CX)) },
		"cqo":                                 (*amd64.Asm).Cqo,
		"imul r12, qword ptr [rbx+0x18]":      func(a *amd64.Asm) { a.Imul(amd64.R12, mem) },
		"imul rsi, rdi, 0x11":                 func(a *amd64.Asm) { a.ImulImm(amd64.SI, amd64.In(amd64.DI), 17) },
		"shl rax, 0x4":                        func(a *amd64.Asm) { a.ShiftImm(amd64.Shl, amd64.In(amd64.AX), 4) },
		"sar r13, cl":                         func(a *amd64.Asm) { a.ShiftCL(amd64.Sar, amd64.In(amd64.R13)) },
		"shr rax, cl":                         func(a *amd64.Asm) { a.ShiftCL(amd64.Shr, amd64.In(amd64.AX)) },
		"btc rax, 0x3f":                       func(a *amd64.Asm) { a.FlipBit(amd64.In(amd64.AX), 63) },
		"test r9, r9":                         func(a *amd64.Asm) { a.Test(amd64.R9) },
		"test rdi, 0x7":                       func(a *amd64.Asm) { a.TestImm(amd64.In(amd64.DI), 7) },
		"mov rax, qword ptr [rbx+0x18]":       func(a *amd64.Asm) { a.Mov(amd64.AX, mem) },
		"mov eax, dword ptr [rbx+0x18]":       func(a *amd64.Asm) { a.Mov32(amd64.AX, mem) },
		"mov qword ptr [rbx+0x18], r8":        func(a *amd64.Asm) { a.Store(mem, amd64.R8) },
		"mov dword ptr [rbx+0x18], eax":       func(a *amd64.Asm) { a.Store32(mem, amd64.AX) },
		"mov qword ptr [rbx+0x18], 0x5":       func(a *amd64.Asm) { a.StoreImm(mem, 5) },
		"mov dword ptr [rbx+0x18], 0x5":       func(a *amd64.Asm) { a.Store32Imm(mem, 5) },
		"mov r9d, 0x7fffffff":                 func(a *amd64.Asm) { a.MovImm(amd64.R9, 1<<31-1) },
		"mov rax, -0x1":                       func(a *amd64.Asm) { a.MovImm(amd64.AX, 1<<64-1) },
		"mov r10, 0x123456789abcdef0":         func(a *amd64.Asm) { a.MovImm(amd64.R10, 0x123456789abcdef0) },
		"lea rax, ptr [rsi+r8]":               func(a *amd64.Asm) { a.Lea(amd64.AX, amd64.AtIndex(amd64.SI, amd64.R8, 0, 0)) },
		"movsx rax, sil":                      func(a *amd64.Asm) { a.Sext8(amd64.AX, amd64.In(amd64.SI)) },
		"movsx rax, si":                       func(a *amd64.Asm) { a.Sext16(amd64.AX, amd64.In(amd64.SI)) },
		"movsxd rax, esi":                     func(a *amd64.Asm) { a.Sext32(amd64.AX, amd64.In(amd64.SI)) },
		"movzx rax, r9b":                      func(a *amd64.Asm) { a.Zext8(amd64.AX, amd64.In(amd64.R9)) },
		"movzx rax, r9w":                      func(a *amd64.Asm) { a.Zext16(amd64.AX, amd64.In(amd64.R9)) },
		"setb dl":                             func(a *amd64.Asm) { a.Set(amd64.Below, amd64.DX) },
		"setz sil":                            func(a *amd64.Asm) { a.Set(amd64.Equal, amd64.SI) },
		"cmovnbe rcx, rdx":                    func(a *amd64.Asm) { a.Cmov(amd64.Above, amd64.CX, amd64.In(amd64.DX)) },
		"jmp rax":                             func(a *amd64.Asm) { a.JmpTo(amd64.In(amd64.AX)) },
		"jmp qword ptr [rbx+0x18]":            func(a *amd64.Asm) { a.JmpTo(mem) },
		"ret":                                 (*amd64.Asm).Ret,
		"addsd xmm2, xmm9":                    func(a *amd64.Asm) { a.OpF(amd64.AddF, 2, amd64.InX(9)) },
		"mulsd xmm10, qword ptr [rbx+0x18]":   func(a *amd64.Asm) { a.OpF(amd64.MulF, 10, mem) },
		"sqrtsd xmm0, xmm1":                   func(a *amd64.Asm) { a.OpF(amd64.SqrtF, 0, amd64.InX(1)) },
		"movsd xmm12, qword ptr [rbx+0x18]":   func(a *amd64.Asm) { a.LoadF(12, mem) },
		"movsd qword ptr [rbx+0x18], xmm12":   func(a *amd64.Asm) { a.StoreF(mem, 12) },
		"movaps xmm1, xmm15":                  func(a *amd64.Asm) { a.MovF(1, 15) },
		"xorps xmm8, xmm8":                    func(a *amd64.Asm) { a.ZeroF(8) },
		"ucomisd xmm3, xmm4":                  func(a *amd64.Asm) { a.CompareF(3, amd64.InX(4)) },
		"movq r8, xmm9":                       func(a *amd64.Asm) { a.Bits(amd64.R8, 9) },
		"movq xmm9, r8":                       func(a *amd64.Asm) { a.FromBits(9, amd64.R8) },
		"cvtsi2sd xmm0, rcx":                  func(a *amd64.Asm) { a.IntToF(0, amd64.In(amd64.CX)) },
		"cvtsi2ss xmm0, rcx":                  func(a *amd64.Asm) { a.IntToSingle(0, amd64.In(amd64.CX)) },
		"cvttsd2si rax, xmm1":                 func(a *amd64.Asm) { a.FToInt(amd64.AX, amd64.InX(1)) },
		"cvttsd2si eax, xmm1":                 func(a *amd64.Asm) { a.FToInt32(amd64.AX, amd64.InX(1)) },
		"cvtsd2ss xmm0, xmm1":                 func(a *amd64.Asm) { a.ToSingle(0, amd64.InX(1)) },
		"cvtss2sd xmm0, xmm0":                 func(a *amd64.Asm) { a.FromSingle(0, amd64.InX(0)) },
		"movups xmm0, xmmword ptr [rbx+0x18]": func(a *amd64.Asm) { a.LoadPair(0, mem) },
		"movups xmmword ptr [rbx+0x18], xmm0": func(a *amd64.Asm) { a.StorePair(mem, 0) },
	} {
		assert.Equal(t, want, written(t, write))
	}
}

// TestEveryOperandIsReached loads from every base, with every index and displacements of all
// sizes, and lets the disassembler say from where.
func TestEveryOperandIsReached(t *testing.T) {
	for base := amd64.AX; base <= amd64.R15; base++ {
		for _, disp := range []int32{0, 1, -1, 127, -128, 128, -129, 1 << 30} {
			mem := decoded(t, amd64.At(base, disp))
			require.Equal(t, x86asm.RAX+x86asm.Reg(base), mem.Base)
			require.Zero(t, mem.Index)
			require.Equal(t, disp, int32(mem.Disp))
			for index := amd64.AX; index <= amd64.R15; index++ {
				if index == amd64.SP {
					continue
				}
				mem := decoded(t, amd64.AtIndex(base, index, 3, disp))
				require.Equal(t, x86asm.RAX+x86asm.Reg(base), mem.Base)
				require.Equal(t, x86asm.RAX+x86asm.Reg(index), mem.Index)
				require.EqualValues(t, 8, mem.Scale)
				require.Equal(t, disp, int32(mem.Disp))
			}
		}
	}
}

func decoded(t *testing.T, from amd64.Arg) x86asm.Mem {
	t.Helper()
	var a amd64.Asm
	a.Mov(amd64.R9, from)
	in, err := x86asm.Decode(a.Bytes(), 64)
	require.NoError(t, err)
	require.Len(t, a.Bytes(), in.Len)
	require.Equal(t, x86asm.R9, in.Args[0])
	return in.Args[1].(x86asm.Mem)
}

func TestJumpsReachLabelsBeforeAndBehindThem(t *testing.T) {
	var a amd64.Asm
	top, end := a.NewLabel(), a.NewLabel()
	a.Bind(top)
	a.Jcc(amd64.Equal, end)
	a.LeaLabel(amd64.R9, top)
	a.Jmp(top)
	a.Bind(end)
	a.Ret()
	require.Equal(t, []string{"jz .+0x9", "lea r9, ptr [rip+0xfffffff7]", "jmp 0x0", "ret"}, disassemble(t, a.Bytes()))
	require.Zero(t, a.Offset(top))
	require.Equal(t, len(a.Bytes())-1, a.Offset(end))
}

// TestJumpsAreAsShortAsTheyCanBe puts a label just as far as a short jump reaches, and one byte
// farther.
func TestJumpsAreAsShortAsTheyCanBe(t *testing.T) {
	for between, want := range map[int][2]int{0: {2, 2}, 127: {2, 2}, 128: {5, 6}} {
		for i, jump := range []func(a *amd64.Asm, to amd64.Label){
			(*amd64.Asm).Jmp, func(a *amd64.Asm, to amd64.Label) { a.Jcc(amd64.Below, to) },
		} {
			var a amd64.Asm
			end := a.NewLabel()
			jump(&a, end)
			for range between {
				a.Ret()
			}
			a.Bind(end)
			a.Ret()
			require.Len(t, a.Bytes(), want[i]+between+1)
			require.Equal(t, want[i]+between, a.Offset(end))
			require.Contains(t, disassemble(t, a.Bytes())[0], fmt.Sprintf(".+%#x", between))
		}
	}
	for between, want := range map[int]int{126: 2, 127: 5} { // the other way the jump itself is in between
		var a amd64.Asm
		top := a.NewLabel()
		a.Bind(top)
		for range between {
			a.Ret()
		}
		a.Jmp(top)
		require.Len(t, a.Bytes(), between+want)
		require.Equal(t, "jmp 0x0", disassemble(t, a.Bytes())[between])
	}
}

// TestALongJumpMakesOthersLong has two jumps over each other: the first reaches its label
// as long as the second is short, which it cannot be.
func TestALongJumpMakesOthersLong(t *testing.T) {
	var a amd64.Asm
	near, far := a.NewLabel(), a.NewLabel()
	a.Jmp(near)
	a.Jmp(far)
	for range 125 {
		a.Ret()
	}
	a.Bind(near)
	for range 3 {
		a.Ret()
	}
	a.Bind(far)
	a.Ret()
	require.Len(t, a.Bytes(), 5+5+125+3+1)
	require.Equal(t, 5+5+125, a.Offset(near))
	require.Equal(t, 5+5+125+3, a.Offset(far))
}

func TestLoopsBeginWhereTheyAreToldTo(t *testing.T) {
	for before := range 40 {
		var a amd64.Asm
		top := a.NewLabel()
		for range before {
			a.Ret()
		}
		a.Align(16)
		a.Bind(top)
		a.Ret()
		a.Jmp(top)
		lines := disassemble(t, a.Bytes())
		require.Equal(t, (before+15)/16*16, a.Offset(top))
		require.Equal(t, fmt.Sprintf("jmp %#x", a.Offset(top)), lines[len(lines)-1])
		for _, line := range lines[before : len(lines)-2] {
			require.Contains(t, line, "nop")
		}
		require.LessOrEqual(t, len(lines)-2-before, 2, "that is done in few instructions")
	}
}

func TestAConditionIsTurnedRound(t *testing.T) {
	for c, not := range map[amd64.Cond]amd64.Cond{
		amd64.Below: amd64.AboveEqual, amd64.Equal: amd64.NotEqual, amd64.BelowEqual: amd64.Above,
		amd64.Less: amd64.GreaterEqual, amd64.LessEqual: amd64.Greater, amd64.Parity: amd64.NoParity,
	} {
		require.Equal(t, not, c.Not())
		require.Equal(t, c, not.Not())
	}
}
