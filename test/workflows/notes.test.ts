// A note that a person leaves on a process: every process takes it while it is open, keeps the newest, and is otherwise as before.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { flowSchemas } from '../../contract/flow-schemas/flow-schemas.ts';
import type { Actions } from '../../contract/flows/actions.ts';
import { processProgressSchema } from '../../contract/flows/flow-answers.ts';
import { LONGEST_NOTE } from '../../contract/flows/note.ts';
import { examples } from '../../contract/operations/examples.ts';
import { Process } from '../../engine/process.ts';
import { Player } from '../../flows/simulation/player.ts';
import { fileOf } from '../flows/language/names.ts';
import { hostileMarkdown, hostileTexts } from '../support/hostile-texts.ts';
import { Outside } from './outside.ts';
import { Playing } from './playing.ts';
import { underWay } from './under-way.ts';

const file = fileOf(`
name: Kept
meaning: Keeps a parcel until it is fetched.
initial: kept
states:
  kept: { after: { P2D: over }, on: { fetched: over } }
  over: { type: final }
`);

const text = 'Charger is missing, ask her when she comes.';

const processes: Readonly<Record<string, () => Promise<Process>>> = {
  'a built-in flow': async () => (await underWay('Issue')).playing.process,
  'an onboarding': async () => {
    const { request } = examples.CreateAccount;
    return new Playing('OnboardAccount', { request }, new Outside().activities).process;
  },
  'a flow file': async () => new Player(file).process,
};

test.each(Object.entries(processes))(
  '%s lists it, keeps the newest with who and when, and changes nothing else',
  async (_, begun) => {
    const process = await begun();
    const { actions } = process.actions({}) as Actions;
    expect(actions.filter(({ command }) => command === 'note')).toMatchObject([
      { isPossible: true, sent: { kind: 'update', name: 'note' }, fields: { required: ['text', 'by'] } },
    ]);
    const asked = { command: 'note', fields: { text, by: 'anna' } };
    expect(process.actions(asked)).toMatchObject({ isPossible: true });
    const { taken } = process;
    const before = process.progress() as object;
    expect(before).not.toHaveProperty('note');
    process.addNote({ text: 'The first.', by: 'ben' });
    process.addNote({ text: `  ${text}\n`, by: 'shop (API)', onBehalfOf: 'anna' });
    const at = expect.stringMatching(/^\d{4}-.*Z$/);
    const note = { text, by: 'shop (API)', onBehalfOf: 'anna', at };
    expect(process.progress()).toEqual({ ...before, note });
    expect(processProgressSchema.parse(process.progress()).note).toEqual(note);
    process.drain();
    expect([process.taken, process.hasWork, process.progress()]).toEqual([taken, false, { ...before, note }]);
  },
);

test('what continues as a new run has the note of the run before', async () => {
  const { process } = new Player(file);
  process.addNote({ text, by: 'anna' });
  const { definition, start, host } = process;
  const continued = JSON.parse(JSON.stringify(process.carried));
  expect(new Process({ definition, start, host, continued }).progress()).toMatchObject({
    note: { text, by: 'anna' },
  });
});

const longest = 'x'.repeat(LONGEST_NOTE);
const takes = new Ajv2020({ strict: false }).addSchema(flowSchemas(), 'flows');

test.each<[string, unknown, string | undefined]>([
  ['the longest', { text: longest, by: 'anna' }, undefined],
  ['with a reason', { text, by: 'anna', why: 'she called' }, undefined],
  ['too long', { text: `${longest}x`, by: 'anna' }, 'text has 501 characters, expected 1 to 500'],
  ['empty', { text: '', by: 'anna' }, 'text is empty, expected 1 to 500 characters'],
  ['no text', { text: { words: text }, by: 'anna' }, 'text is no text, expected 1 to 500 characters'],
  ['of nobody', { text }, 'by is missing, expected 1 to 200 characters'],
  ['of a name too long', { text, by: 'x'.repeat(201) }, 'by has 201 characters, expected 1 to 200'],
  ['for nobody', { text, by: 'anna', onBehalfOf: 7 }, 'onBehalfOf is no text, expected 1 to 200 characters'],
  ['null', null, 'text is missing'],
])('a note that is %s is taken or refused, as its schema says', (_, given, words) => {
  const { process } = new Player(file);
  const refusal = process.noteRefusal(given);
  expect(refusal?.code).toBe(words === undefined ? undefined : 'InvalidNote');
  expect(refusal?.message ?? '').toContain(words ?? '');
  expect(takes.getSchema('flows#/$defs/Issue.update.note')?.(given)).toBe(words === undefined);
});

test('blanks alone are no note', () => {
  expect(new Player(file).process.noteRefusal({ text: ' \n\t', by: 'anna' })?.message).toContain('is empty');
});

test('a process that has ended takes none, and still says the last', () => {
  const player = new Player(file);
  player.process.addNote({ text, by: 'anna' });
  player.cancel();
  expect(player.process.noteRefusal({ text, by: 'anna' })?.code).toBe('ProcessEnded');
  const { actions } = player.process.actions({}) as Actions;
  expect(actions.find(({ command }) => command === 'note')).toMatchObject({ isPossible: false });
  expect(player.progress).toMatchObject({ activity: 'Ended', note: { text } });
});

test('the details in Temporal’s Web UI, which have no personal data, have nothing of it', async () => {
  const { playing } = await underWay('Issue');
  const before = playing.details;
  for (const each of [...hostileTexts, ...hostileMarkdown]) {
    playing.process.addNote({ text: each, by: 'anna' });
    expect(playing.progress).toMatchObject({ note: { text: each.trim() } });
    expect(playing.details).toBe(before);
  }
});
