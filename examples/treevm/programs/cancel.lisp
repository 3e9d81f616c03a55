; A fiber that is cancelled goes no further, wherever it is: here in the comparison of a sort.
(define (sorter)
  (sort (list 2 1) (fn (a b) (sleep 1000) (- a b)))
  (print "never printed"))
(define f (spawn sorter))
(sleep 10)
(cancel f)
(print (try (join f) (fn (message) message)))

(define (spin) (while true))
(define g (spawn spin))
(yield)
(cancel g)
(print (try (join g) (fn (message) message)))
