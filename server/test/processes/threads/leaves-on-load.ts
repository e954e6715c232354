/** A worker that ends before it is ready, as one that runs out of memory while it starts. */
process.exit(3);
