// Vitest turns source maps on. Node removes types without moving a place, so that they tell nothing new, and it would look for one in
// all that is evaluated: Temporal evaluates two lines for each promise.
process.setSourceMapsEnabled(false);
