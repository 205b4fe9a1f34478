// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// What is wrong in the file of hooks is said when the receiver starts, and no secret with it.
import { expect, test } from 'vitest';
import { hooksIn } from '../../../client/hooks-file.ts';

const KEY = 'a shared key of both sides';
const bearer = '{ bearer: { tokenVariable: KEY } }';
const right = { verify: bearer, type: 'a.b', where: '{ k: 1 }', id: '"${body.i}"' };

/** What stands in the place of a part that is right. */
const wrongFiles: readonly [what: string, changed: Readonly<Record<string, string>>, words: RegExp][] = [
  ['no proof', { verify: '{}' }, /hooks\.h\.verify: must have exactly one of/],
  [
    'a secret that is not there',
    { verify: '{ bearer: { tokenVariable: NONE } }' },
    /tokenVariable: NONE is empty/,
  ],
  [
    'a secret that can be guessed',
    { verify: '{ bearer: { tokenVariable: SHORT } }' },
    /at least 16 characters/,
  ],
  [
    'two sources of a secret',
    { verify: '{ bearer: { tokenVariable: KEY, tokenFile: x } }' },
    /exactly one of tokenFile, tokenVariable/,
  ],
  [
    'a wrong expression',
    { where: '{ k: "${input.k}" }' },
    /hooks\.h\.where\.k: is not a valid expression: .*input/,
  ],
  ['no id', { id: '' }, /hooks\.h\.id: is required/],
  ['one id for all', { id: 'same' }, /hooks\.h\.id: must have an expression/],
  ['no key', { where: '{}' }, /hooks\.h\.where: must have 1 to 8 keys/],
  ['no event', { type: '"a b"' }, /hooks\.h\.type: must be words/],
  ['no duration', { keepFor: '1 day' }, /hooks\.h\.keepFor: must be a duration/],
];

test.each(wrongFiles)('a file with %s is refused, and no secret is shown', (_, changed, words) => {
  const given: Readonly<Record<string, string>> = { KEY, SHORT: 'secret' };
  const parts = Object.entries({ ...right, ...changed }).filter(([, text]) => text !== '');
  const hook = parts.map(([name, text]) => `${name}: ${text}`).join(', ');
  const read = () =>
    hooksIn(`hooks: { h: { ${hook} } }`, { file: () => KEY, variable: (name) => given[name] ?? '' });
  expect(read).toThrow(words);
  expect(read).not.toThrow(/shared key|"secret"/);
});
