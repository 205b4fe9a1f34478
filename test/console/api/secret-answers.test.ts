// What somebody answered to a question of a process is for those who may act on processes: no route of the process tells it to
// others, who read that it was answered, by whom and why.
import { randomUUID } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { PASSWORD, useConsoleOf } from '../console-world.ts';
import { demoToken, newClientToken, programOf } from './program.ts';

const SECRET = 'SECRETANSWER';
const WHY = 'she rang at the desk';

const installation = useInstallation(ourService);
const flow = `Secret${randomUUID().slice(0, 8)}`;
const key = `secret-${randomUUID()}`;
const text = `
name: ${flow}
meaning: The desk asks for a word, and looks at it again.
context: { word: none }
initial: asking
states:
  asking:
    invoke:
      id: word
      src: ask
      input: { of: desk, question: Which word is it?, fields: { secretword: { type: text } } }
      onDone: { target: looking, actions: { type: assign, params: { word: "\${event.output.secretword}" } } }
  looking:
    invoke:
      id: look
      src: ask
      input: { of: desk, question: Is it right?, fields: { right: { choice: [good, bad] } } }
      onDone: over
  over: { type: final }
output: { word: "\${context.word}" }
`;

const server = useConsoleOf(installation);
beforeAll(async () => {
  const { service } = installation();
  const publisher = programOf(server().address, await demoToken(service.address));
  const published = await publisher.post('/v1/flows', { files: [{ path: 'secret.flow.yaml', text }] });
  expect(published, JSON.stringify(published.body)).toMatchObject({ status: 200 });
  // dora has the inbox alone.
  const users = await readFile(server().usersPath, 'utf8');
  const hash = users.split('\n')[0]?.slice('anna:look:'.length);
  await appendFile(server().usersPath, `\ndora:inbox:desk:${hash}\n`);
});

async function signedIn(name: string): Promise<Readonly<Record<string, string>>> {
  const answer = await server().post('/api/sign-in', { name, password: PASSWORD });
  return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

async function read(path: string, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(server().address + path, { headers });
  return { status: answer.status, text: await answer.text() };
}

/** Every route that reads one process. */
async function routesOfProcess(headers: Readonly<Record<string, string>>): Promise<string[]> {
  const { paths } = JSON.parse((await read('/openapi.json', headers)).text) as {
    readonly paths: Readonly<Record<string, { readonly get?: object }>>;
  };
  return Object.entries(paths)
    .filter(([path, { get }]) => get && path.startsWith('/v1/processes/{key}'))
    .map(([path]) => path.replace('{key}', key));
}

test('no route of a process tells what was answered to who may not act on processes', async () => {
  const bram = await signedIn('bram');
  const told = async (path: string, body: object) => {
    const answer = await server().post(`/v1/processes${path}`, body, bram);
    expect(answer.status, await answer.text()).toBeLessThan(300);
  };
  const until = (state: string) =>
    vi.waitUntil(
      async () => {
        const { text: shown } = await read(`/v1/processes/${key}`, bram);
        return shown.includes(`"state":"${state}"`);
      },
      { timeout: 60_000, interval: 50 },
    );
  await told('', { flow, key, why: 'a test' });
  await until('asking');
  await told(`/${key}/answers`, { values: { secretword: SECRET }, why: WHY });
  await until('looking');

  const readers = {
    decide: bram,
    look: await signedIn('anna'),
    'inbox:desk': await signedIn('dora'),
    'flows:read': { authorization: `Bearer ${await readingToken()}` },
  };
  const paths = await routesOfProcess(bram);
  expect(paths.length).toBeGreaterThan(4);
  const telling = new Map<string, string[]>();
  for (const [reader, headers] of Object.entries(readers))
    for (const path of paths) {
      const { status, text: shown } = await read(path, headers);
      expect([200, 403, 409], `${reader} ${path} ${shown}`).toContain(status);
      if (shown.includes(SECRET)) telling.set(reader, [...(telling.get(reader) ?? []), path]);
    }
  expect([...telling.keys()]).toEqual(['decide']);
  expect(telling.get('decide')).toEqual(expect.arrayContaining([`/v1/processes/${key}/history`]));

  const { text: shown } = await read(`/v1/processes/${key}/history`, readers.look);
  expect(shown).toContain('Bram answers “word”.');
  expect(shown).toContain(WHY);
});

async function readingToken(): Promise<string> {
  return await newClientToken(installation().service, `reader-${randomUUID().slice(0, 8)}`, 'flows:read');
}
