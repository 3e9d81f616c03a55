\ Go's sort with comparisons that are words of the program.
: numbers 30 10 20 3 ;
: show ( a b c -- ) drop drop . ;

\ It computes.
numbers ' - sort . . .

\ It waits for the clock; another fiber runs meanwhile.
: tick ( n -- 0 ) begin 5 sleep "tick" . 1 - dup 0 = until ;
: slow ( a b -- n ) 4 sleep - ;
3 ' tick spawn constant ticker
numbers ' slow sort . . .
ticker join drop drop

\ It asks another fiber which number is to come first.
0 chan constant questions
0 chan constant answers
: judge ( x -- ) begin questions recv questions recv swap - answers send 0 until ;
: ask ( a b -- n ) questions send questions send answers recv ;
0 ' judge spawn constant judged
numbers ' ask sort . . .
judged cancel

\ It sorts, itself by a comparison that waits.
: nested ( a b -- n ) over over 2 ' slow sort drop drop - ;
numbers ' nested sort . . .
now .
