// What a wall makes of a frame of the service: the message, nothing where it is too new, or words for its log.
import { expect, test } from 'vitest';
import { messageIn } from '../../../service/simulated-wall/connection/socket.ts';

test('a message is read, and one of a later version of the service is passed over', () => {
  const refused = { type: 'refused', message: 'pup-2 is not the wall of this client' };
  expect(messageIn(JSON.stringify(refused))).toMatchObject(refused);
  expect(messageIn('{"type":"danceTogether"}')).toBeUndefined();
});

test.each([
  ['{"type":', 'a message of the service is not JSON'],
  ['[1]', 'a message of the service has no type; expected a JSON object with one'],
  ['{"type":7}', 'a message of the service has no type; expected a JSON object with one'],
  [
    '{"type":"refused","message":7}',
    'a message "refused" of the service is wrong: message: must be a string, not a number',
  ],
  [
    '{"type":"refused"}',
    'a message "refused" of the service is wrong: message: is required (expected string)',
  ],
])('%s is refused in plain words', (text, words) => {
  expect(() => messageIn(text)).toThrow(new TypeError(words));
});
