\ A comparison that fails ends the sort, and then the fiber that called it.
: broken ( a b -- n ) 1 sleep over - 0 / ;
: sorts ( x -- ) drop 3 1 2 3 ' broken sort "not reached" . ;

0 ' sorts spawn join if "sorted" else "failed: " swap & then .

"and now the main fiber" .
4 2 2 ' broken sort
