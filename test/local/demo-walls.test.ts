// The file of the demo tenant's walls, when a person has made it wrong: it is read before anything else is done.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ensureDemoWalls } from '../../local/demo-walls.ts';

const home = mkdtempSync(join(tmpdir(), 'lockerflow-demo-walls-'));
afterAll(() => rmSync(home, { recursive: true }));
const path = join(home, 'walls.yaml');

const started = (text: string) => {
  writeFileSync(path, text);
  return ensureDemoWalls(home, 'postgres://nobody@127.0.0.1:1/none');
};

test('a wrong file names each wrong value, what was expected and what to do', () =>
  expect(started('walls: [{ pupUid: 7, clientSecret: never-shown }]')).rejects.toThrow(
    `${path} is wrong; correct it (docs/walls.md has an example), or remove it, and npm start writes a new one:
walls.0.pupUid: must be a string, not a number
walls.0.clientId: is required (expected string)`,
  ));

test('a file that is not YAML is told by its line alone: the lines around it have secrets', () =>
  expect(started('walls:\n  - clientSecret: never-shown\n  - [\n')).rejects.toThrow(
    /walls\.yaml is wrong; .*:\nline 4: this is neither YAML nor JSON$/,
  ));
