// Leaves a note on a process, for whoever looks at it next: "Charger is missing, ask her when she comes." It changes nothing, so
// nothing follows from it, and nobody needs a reason for it.
import { z } from 'zod';
import { LONGEST_NOTE } from '../../contract/flows/note.ts';
import { t } from '../../shared/texts/text.ts';
import { answered, attributionOf } from '../at-temporal.ts';
import { processCommand } from './command.ts';
import { text } from './read-values.ts';

export const note = processCommand({
  name: 'note',
  why: 'optional',
  isOfOne: true,
  isSigned: true,
  input: z.strictObject({
    text: text
      .max(LONGEST_NOTE, `is too long; at most ${LONGEST_NOTE} characters`)
      .meta({ description: 'What whoever looks at the process next should know' }),
  }),
  meaning: 'Leaves a note on a process, for whoever looks at it next',
  example: { text: 'Charger is missing, ask her when she comes' },
  // The page has a field of its own for it.
  forms: {},
  asked: () => ['note'],
  fields: (acting, { text: words }) => ({ text: words, ...attributionOf(acting) }),
  async act(acting, key, { text: words }): Promise<null> {
    const added = { text: words, ...attributionOf(acting) };
    await answered(acting, () => acting.flows.handle(key).note(added));
    return null;
  },
  formatPreview: () => t`the note is kept, and nothing else changes`,
  formatResult: () => t`the note is kept`,
});
