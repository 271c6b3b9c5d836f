/* The same on every processor: squares, sum and root are each rounded once, as IEEE 754 says (scripts/same-bits). */
double hypot(double x, double y) { return __builtin_sqrt(x * x + y * y); }
