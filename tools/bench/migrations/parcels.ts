// The flow of the benchmark of migrations, before its edit and after it: a state, an event and a question have other names, and
// a deadline is shorter.
import type { FlowFile } from '../../../flow-files/flow-file.ts';

export const NAME = 'MigratedParcel';

const question = (of: string) => ({ of, question: 'Is it whole?', fields: { whole: { type: 'yesNo' } } });
const meaning = 'Keeps a parcel until somebody fetches it.';

export const before = {
  ...{ name: NAME, meaning, initial: 'kept' },
  states: {
    kept: { after: { P10D: 'over' }, on: { fetched: 'over', returned: 'checked' } },
    checked: { invoke: { id: 'check', src: 'ask', input: question('desk'), onDone: 'over' } },
    over: { type: 'final' },
  },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the file
  output: '${flow.version}',
} as unknown as FlowFile;

export const after = {
  ...before,
  initial: 'waiting',
  states: {
    waiting: {
      was: 'kept',
      after: { P7D: 'over' },
      on: { collected: { target: 'over', was: 'fetched' }, returned: 'checked' },
    },
    checked: { invoke: { id: 'look', was: 'check', src: 'ask', input: question('store'), onDone: 'over' } },
    over: { type: 'final' },
  },
} as unknown as FlowFile;

/** One of so many has a question open; the others wait for an event, or for their deadline. */
export const ONE_ASKS_OF = 5;
