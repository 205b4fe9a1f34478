// A terminal at which no person sits: for commands that run within a test's process.
import type { Terminal } from '../../shared/terminal/terminal.ts';

export const nowhere: Terminal = {
  variables: {},
  isInteractive: false,
  write: () => undefined,
  complain: () => undefined,
  read: async () => '',
  interrupted: new AbortController().signal,
};
