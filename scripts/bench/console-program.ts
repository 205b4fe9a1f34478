// A console for a benchmark, with a person who is signed in.
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { passwordHash } from '../../console/sign-in/password.ts';
import { saysReady, startNode, untilReady } from '../../local/child-process.ts';
import { freePort, LOOPBACK } from '../../local/ports.ts';

interface SignedIn extends AsyncDisposable {
  /** Throws unless it answers with success. */
  get(path: string): Promise<unknown>;
}

export async function startConsoleFor(
  variables: Readonly<Record<string, string>>,
  folder: string,
): Promise<SignedIn> {
  const [name, password] = ['bram', randomUUID()];
  const users = join(folder, 'users');
  await writeFile(users, `${name}:look,decide:${await passwordHash(password)}`);
  const port = await freePort();
  const child = startNode(['console/main.ts'], {
    env: {
      ...process.env,
      ...variables,
      LOCKERFLOW_HOME: folder,
      CONSOLE_PORT: String(port),
      CONSOLE_USERS: users,
    },
    showsErrors: true,
    stopWithinSeconds: 20,
  });
  const address = `http://${LOOPBACK}:${port}`;
  if ((await untilReady(child, () => saysReady(address))) !== undefined)
    throw new Error('The console did not come up');
  const signedIn = await fetch(`${address}/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ name, password }),
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  return {
    async get(path) {
      const answer = await fetch(address + path, { headers: { cookie } });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return await answer.json();
    },
    [Symbol.asyncDispose]: child.stop,
  };
}
