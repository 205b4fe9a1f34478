// A wall's memory on disk that a person or a disk has spoilt: what is wrong is said, and what to do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { WallFile } from '../../../service/simulated-wall/lockers/wall-memory.ts';
import { newWallState } from '../../../service/simulated-wall/lockers/wall-state.ts';

const home = mkdtempSync(join(tmpdir(), 'lockerflow-wall-file-'));
afterAll(() => rmSync(home, { recursive: true }));
const path = join(home, 'pup-1.json');

const spoilt = (change: object) => JSON.stringify({ ...newWallState(), ...change });

test.each([
  ['{"journal":', 'it is not JSON'],
  ['[]', 'the file: must be an object, not a list'],
  [
    spoilt({ journal: 7, lastId: 1.5 }),
    'journal: must be a string, not a number; lastId: must be a whole number, not 1.5',
  ],
  [
    spoilt({ messages: [{ type: 'hello' }] }),
    'messages.0.type: must be one of codeTyped, doorOpened, doorClosed, commandFailed, not "hello"',
  ],
  [
    spoilt({ messages: [{}] }),
    'messages.0.type: is required (expected one of codeTyped, doorOpened, doorClosed, commandFailed)',
  ],
])('a wall does not start with %s', (text, words) => {
  writeFileSync(path, text);
  expect(() => new WallFile(path).read()).toThrow(
    `${path} is not the memory of a wall: ${words}. Move it away; the wall then starts as a new one`,
  );
});

test('what a wall wrote, it reads again', () => {
  const file = new WallFile(join(home, 'pup-2.json'));
  expect(file.read()).toBeUndefined();
  const state = newWallState();
  file.write(state);
  expect(file.read()).toEqual(state);
});
