//! Pages of made-up figures.
