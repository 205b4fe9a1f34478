// What an answer says to people follows their language; what programs go by is the same in each.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { issueRequest, useConsoleOf } from '../console-world.ts';
import { patience } from './program.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const id = randomUUID().slice(0, 8);
const asking = `Lamps${id}`;
const keys = { late: `late-${id}`, asking: `asking-${id}` };
const file = `
name: ${asking}
meaning: It asks one question.
initial: asking
states:
  asking:
    invoke:
      id: whole
      src: ask
      input: { of: desk, question: Is it whole?, fields: { whole: { type: yesNo } }, within: P2D }
      onDone: over
      onError: over
  over: { type: final }
`;

/** Fields of answers that are for people. */
const SENTENCES =
  /^(?:words|title|label|hint|consequence|why|toDo|ifNothing|what|todo|wrong|unread|desk|tried|flowName|note|message|detail|said|happened|optionLabels|none|value|role|because|meaning|text|did)$/;

interface Listed {
  readonly items: readonly { readonly key: string; readonly summary: object | null }[];
}

interface Worked {
  readonly entries: readonly { readonly key: string | null }[];
}

async function answerIn(locale: string, path: string): Promise<unknown> {
  const headers = { cookie: await server().cookieOf('bram'), 'accept-language': locale };
  const answer = await fetch(`${server().address}${path}`, { headers });
  expect(answer.status, path).toBe(200);
  return await answer.json();
}

/** A bracket is no letter to be made a capital, and no end of a sentence. */
const plain = (text: string): string => text.replaceAll(/[⟦⟧]/g, '').replace(/\.+$/, '').toLowerCase();

/** The fields that the two differ in, but for brackets and the moment at which each was read. */
function differencesOf(one: unknown, other: unknown, field = ''): string[] {
  if (typeof one === 'string' && typeof other === 'string') {
    if (one === other) return [];
    return SENTENCES.test(field) && plain(one) === plain(other) ? [] : [`${field}: ${one} / ${other}`];
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return Object.is(one, other) || field.endsWith('Ms') ? [] : [`${field}: ${one} / ${other}`];
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...fields].flatMap((name) =>
    differencesOf(
      (one as Record<string, unknown>)[name],
      (other as Record<string, unknown>)[name],
      Array.isArray(one) ? field : name,
    ),
  );
}

test('codes, ids and names of fields are the same in every language, and sentences follow it', async () => {
  const { flows } = installation();
  await flows.publish([{ path: 'asking.flow.yaml', text: file }]);
  await flows.startPublished(asking, keys.asking, {});
  await flows.start('Issue', keys.late, { request: issueRequest, deadlines: { issue: { dropOff: 'PT1S' } } });
  const late = `/v1/processes/${keys.late}/details`;
  await vi.waitUntil(async () => JSON.stringify(await answerIn('en', late)).includes('"Overdue"'), patience);
  for (const path of [
    late,
    `/v1/processes/${keys.asking}/details`,
    `/v1/processes/${keys.late}/subject`,
    `/v1/processes/${keys.late}/history`,
    `/api/walls/${issueRequest.pupUid}`,
  ]) {
    const english = await answerIn('en', path);
    const bracketed = await answerIn('en-XA', path);
    expect.soft(differencesOf(english, bracketed), path).toEqual([]);
  }
  // Names of people may come later, and other processes change meanwhile.
  const rowIn = (locale: string) =>
    vi.waitUntil(async () => {
      const { items } = (await answerIn(locale, `/v1/processes?sort=waiting&find=${keys.late}`)) as Listed;
      const row = items.find(({ key }) => key === keys.late);
      return row?.summary && { ...row, about: null };
    }, patience);
  expect(differencesOf(await rowIn('en'), await rowIn('en-XA'))).toEqual([]);
  const entryIn = async (locale: string) => {
    const { entries } = (await answerIn(locale, '/v1/inbox/entries')) as Worked;
    return entries.find(({ key }) => key === keys.asking);
  };
  expect(differencesOf(await entryIn('en'), await entryIn('en-XA'))).toEqual([]);
  expect(await entryIn('en')).toBeDefined();
  expect(JSON.stringify(await answerIn('nl', late))).toContain('Te laat');
});
