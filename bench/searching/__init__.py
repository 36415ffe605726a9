"""What the benchmarks of exact search share: libraries, references to beat, timing, plots."""
