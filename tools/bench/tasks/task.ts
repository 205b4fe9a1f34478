// A process that asks one question, which somebody claims and answers. Written by hand it is tools/bench/tasks/minimal-task.ts.
export const taskFile = {
  name: 'BenchTask',
  meaning: 'Somebody of the desk decides.',
  initial: 'asked',
  states: {
    asked: {
      invoke: {
        id: 'check',
        src: 'ask',
        input: {
          ...{ of: 'desk', question: 'Is it whole?', fields: { state: { choice: ['whole', 'broken'] } } },
          ...{ not: 'rita', within: 'P2D' },
        },
        onDone: 'over',
        onError: 'over',
      },
    },
    over: { type: 'final' },
  },
} as const;
