// Updates in words: each update of each recorded process has some, and the sandbox's moves have too.
import { defaultPayloadConverter } from '@temporalio/common';
import { expect, test } from 'vitest';
import { updateWords } from '../../../client/command-line/update-words.ts';
import { historyOf, recordings } from '../../workflows/recording/recordings.ts';

test('every update of every recorded process is told in words, and none by its name', async () => {
  const told = new Map<string, string>();
  for (const { recording } of await recordings())
    for (const event of historyOf(recording).events ?? []) {
      const { name, args } =
        event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input ?? {};
      const [payload] = args?.payloads ?? [];
      if (name) told.set(name, updateWords(name, payload && defaultPayloadConverter.fromPayload(payload)));
    }
  expect([...told.keys()]).toEqual(expect.arrayContaining(['extendDeadline', 'resolve', 'setReceiver']));
  for (const [name, words] of told) {
    expect(words).not.toContain(name);
    expect(words).not.toContain('unknown');
  }
});

test.each([
  [
    'extendDeadline',
    { role: 'issue', stage: 'pickUp', until: '2031-05-01T12:00:00Z' },
    'the deadline issue.pickUp is extended until 2031-05-01T12:00:00Z',
  ],
  ['moveClock', { aheadMs: 176_400_000 }, "the sandbox's clock is moved: 2 d 1 h ahead of the real time"],
  // A receiver is a person: who it is stands in the history alone.
  ['setReceiver', { role: 'issue', toUserUid: 'user-anna' }, 'a receiver is set for issue'],
  [
    'resolve',
    { by: 'bram', why: 'seen', action: 'setState', role: 'issue', stateCode: 'Completed' },
    'bram decides: setState issue Completed, because seen',
  ],
  ['anUpdateOfTomorrow', null, 'anUpdateOfTomorrow'],
])('%s %j', (name, payload, words) => {
  expect(updateWords(name, payload)).toBe(words);
});
