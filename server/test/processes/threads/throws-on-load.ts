/** A worker that cannot load, as one with a missing module. */
throw new Error("cannot load");
