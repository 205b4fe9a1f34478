// Leaves a note on a process, for whoever looks at it next: "Charger is missing, ask her when she comes." It changes nothing, so
// nothing follows from it, and nobody needs a reason for it. One that has ended takes it, too.
import { z } from 'zod';
import { LONGEST_NOTE } from '../../contract/flows/note.ts';
import { t } from '../../shared/texts/text.ts';
import { orThrow } from '../outcome.ts';
import { attributionOf, type CommandContext, withDeadline } from '../temporal-context.ts';
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
  fields: (commandContext, { text: words }) => ({ text: words, ...attributionOf(commandContext) }),
  act: noteOpen,
});

async function noteOpen(commandContext: CommandContext, key: string, { text: words }: Input): Promise<null> {
  const added = { text: words, ...attributionOf(commandContext) };
  await withDeadline(commandContext, () => commandContext.flows.handle(key).note(added));
  return null;
}

export const note: ProcessCommand<Input, null> = {
  ...described,
  ...command<Input, null, null, string>({
    ...definition,
    flowOf: (commandContext, key) => new ProcessReader(commandContext).flowOf(key),
    async preview(commandContext, key, given) {
      if (await isOpen(commandContext, key)) orThrow(await ofOpen.preview(commandContext, key, given));
      return null;
    },
    act: (commandContext, key, given) =>
      openOrEnded(commandContext, key, {
        open: () => noteOpen(commandContext, key, given),
        async ended() {
          await addNote(commandContext, key, { text: given.text, ...attributionOf(commandContext) });
          return null;
        },
      }),
  }),
};
