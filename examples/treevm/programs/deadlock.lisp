; The report names the line at which each fiber waits.
(define c (chan))
(define (sorter)
  (sort (list 2 1) (fn (a b)
    (recv c))))
(define f (spawn sorter))
(join f)
