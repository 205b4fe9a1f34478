// What Node.js is to be told when it runs a worker. Whatever starts one says it: the process cannot say it to itself.
// A workflow that leaves the cache leaves memory behind that V8 sees only in part, so that it collects it late.

export const nodeOptions = [
  // In MB, of the young generation.
  '--max-semi-space-size=4',
  // Of what was in use after the last collection: by itself V8 waits until it is four times that.
  '--heap-growing-percent=20',
] as const;
