// Leaves a note on a process, for whoever looks at it next: "Charger is missing, ask her when she comes." It changes nothing, so
// nothing follows from it, and nobody needs a reason for it. One that has ended takes it, too.
import { z } from 'zod';
import { LONGEST_NOTE } from '../../contract/flows/note.ts';
import { t } from '../../shared/texts/text.ts';
import { type Acting, answered, attributionOf } from '../at-temporal.ts';
import { orThrow } from '../outcome.ts';
import { ProcessReader } from '../views/shown-process.ts';
import { addNote, isOpen, openOrEnded } from './add-after-end.ts';
import { command, type Described, type ProcessCommand, processCommand } from './command.ts';
import { text } from './read-values.ts';

const input = z.strictObject({
  text: text
    .max(LONGEST_NOTE, `is too long; at most ${LONGEST_NOTE} characters`)
    .meta({ description: 'What whoever looks at the process next should know' }),
});
type Input = z.infer<typeof input>;

const described: Described = {
  isOfOne: true,
  isSigned: true,
  meaning: 'Leaves a note on a process, for whoever looks at it next; also on one that has ended',
  example: { text: 'Charger is missing, ask her when she comes' },
  // The page has a field of its own for it.
  forms: {},
};

const definition = {
  name: 'note',
  right: 'decide',
  why: 'optional',
  input,
  formatPreview: () => t`the note is kept, and nothing else changes`,
  formatResult: () => t`the note is kept`,
} as const;

const ofOpen = processCommand<Input, null>({
  ...described,
  ...definition,
  asked: () => ['note'],
  fields: (acting, { text: words }) => ({ text: words, ...attributionOf(acting) }),
  act: noteOpen,
});

async function noteOpen(acting: Acting, key: string, { text: words }: Input): Promise<null> {
  const added = { text: words, ...attributionOf(acting) };
  await answered(acting, () => acting.flows.handle(key).note(added));
  return null;
}

export const note: ProcessCommand<Input, null> = {
  ...described,
  ...command<Input, null, null, string>({
    ...definition,
    flowOf: (acting, key) => new ProcessReader(acting).flowOf(key),
    async preview(acting, key, given) {
      if (await isOpen(acting, key)) orThrow(await ofOpen.preview(acting, key, given));
      return null;
    },
    act: (acting, key, given) =>
      openOrEnded(acting, key, {
        open: () => noteOpen(acting, key, given),
        async ended() {
          await addNote(acting, key, { text: given.text, ...attributionOf(acting) });
          return null;
        },
      }),
  }),
};
