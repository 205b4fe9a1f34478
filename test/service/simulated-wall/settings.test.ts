// The settings of the wall program and the file of its walls: what is wrong is told, with what was expected.
import { expect, test } from 'vitest';
import { readWallSettings } from '../../../service/simulated-wall/settings.ts';

const files: Readonly<Record<string, string>> = {
  'walls.yaml': `
walls:
  - { pupUid: pup-central, clientId: wall-central, clientSecret: one }
  - { pupUid: pup-station, clientId: wall-station, clientSecretFile: station-secret }
`,
  'station-secret': 'two\n',
  'twice.yaml': `
walls:
  - { pupUid: pup-1, clientId: one, clientSecret: one }
  - { pupUid: pup-1, clientId: two, clientSecret: two }
`,
  'no-secret.yaml': 'walls: [{ pupUid: pup-1, clientId: one }]',
  'wrong.yaml': 'walls: [{ pupUid: pup-1, clientId: one, clientSecret: never-shown, port: 1 }]',
  'empty.yaml': '',
  'not-yaml.yaml': 'walls:\n  - clientSecret: never-shown\n  - [\n',
  'lost-secret.yaml': 'walls: [{ pupUid: pup-1, clientId: one, clientSecretFile: lost-secret }]',
};

const read = (variables: Record<string, string>) =>
  readWallSettings(variables, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
    return text;
  });

test('the file names the walls; a secret may be a file of its own', () => {
  const { walls, port, host, serviceUrl } = read({ WALL_FILE: 'walls.yaml', WALL_PORT: '' });
  expect({ port, host, serviceUrl }).toEqual({
    port: 8089,
    host: '127.0.0.1',
    serviceUrl: 'http://127.0.0.1:8080',
  });
  expect(walls).toMatchObject([
    { pupUid: 'pup-central', clientId: 'wall-central', clientSecret: 'one' },
    { pupUid: 'pup-station', clientId: 'wall-station', clientSecret: 'two' },
  ]);
});

test.each([
  [
    'nowhere.yaml',
    "nowhere.yaml cannot be read (ENOENT: no such file or directory, open 'nowhere.yaml'). Name the file of the walls in WALL_FILE",
  ],
  ['twice.yaml', 'walls: names the pick up point pup-1 twice'],
  ['no-secret.yaml', 'walls.0: must have exactly one of clientSecret, clientSecretFile'],
  ['wrong.yaml', 'walls.0: has fields that are not known here: port'],
  ['empty.yaml', 'empty.yaml is wrong; docs/walls.md has an example:\nwalls: is required (expected list)'],
  [
    'not-yaml.yaml',
    'not-yaml.yaml is wrong; docs/walls.md has an example:\nline 4: this is neither YAML nor JSON',
  ],
  ['lost-secret.yaml', 'walls.0.clientSecretFile: cannot be read (ENOENT'],
])('%s: %s', (path, words) => {
  const failure = () => read({ WALL_FILE: path });
  expect(failure).toThrow(words);
  expect(failure).not.toThrow('never-shown');
});

test('one error names every wrong setting', () => {
  const failure = () => read({ WALL_PORT: 'eighty', WALL_SERVICE_URL: 'service' });
  expect(failure).toThrow('WALL_PORT');
  expect(failure).toThrow('WALL_SERVICE_URL');
});
