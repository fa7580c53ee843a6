;; W1, W9: the smallest program that does something.
(+ 1 2)
