\ A fiber is cancelled wherever it is: in a sleep, in a comparison of a native sort, in an endless
\ loop. The wait ends, the sort returns, and the join has the reason.
: report ( task -- ) join if "result " else "reason " then swap & . ;

: dreams ( x -- ) 1000 sleep "not reached" . ;
: slow ( a b -- n ) 1000 sleep - ;
: sorts ( x -- ) 3 1 2 3 ' slow sort "not reached" . ;
: spins ( x -- ) begin yield 0 until ;
: adds ( n -- n+1 ) 1 + ;

0 ' dreams spawn constant dreamer
0 ' sorts spawn constant sorter
0 ' spins spawn constant spinner
41 ' adds spawn constant adder

yield yield
dreamer cancel  sorter cancel  spinner cancel
adder cancel \ it has ended
dreamer report  sorter report  spinner report  adder report
