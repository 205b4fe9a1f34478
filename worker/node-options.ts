// The options of Node.js for a worker. The program that starts the worker sets them: the process cannot set them
// itself. A workflow that leaves the cache leaves memory behind that V8 sees only in part, so that it collects it late.

export const nodeOptions = [
  // In MB, of the young generation.
  '--max-semi-space-size=4',
  // Percent of the memory in use after the last collection: by default V8 waits until it is four times that.
  '--heap-growing-percent=20',
] as const;
