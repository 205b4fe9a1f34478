// Processes of Node that tests start share what is compiled: a start of the command line takes 0.4 s of a processor instead
// of 0.6 s. Who starts a process with all variables of the tests needs nothing of this: vitest.config.ts has set it.

export const compileCache = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
