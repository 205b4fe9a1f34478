// What Node.js is to be told when it runs a worker. Whatever starts one says it: the process cannot say it to itself.

/** In MB. A young generation that grows keeps a third more memory for what workflows that left the cache have left. */
export const nodeOptions = ['--max-semi-space-size=4'] as const;
