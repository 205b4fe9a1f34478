// docs/callbacks.md is what works: its receiver of your own, and the one of docs/examples/callbacks, take what the service signs
// and refuse every forgery. They run as they stand.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startChild } from '../../local/child-process.ts';
import { freePort } from '../../local/ports.ts';
import { signatureHeaders } from '../../service/callbacks/delivery/sign-callback.ts';
import { endedWithTest } from '../support/processes/node-program.ts';
import { temporaryFolder } from '../support/set-up-process.ts';

const root = join(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/callbacks.md'), 'utf8');
const KEYS = ['whsec_bG9ja2VyZmxvdyBleGFtcGxlIGtleQ==', 'a key of our own'];

const [, ofYourOwn = ''] = page.split('\n## A receiver of your own\n');

function example(): string {
  const [, text] = /^```ts\n([\s\S]*?)^```/m.exec(ofYourOwn) ?? [];
  if (text === undefined) throw new Error('the page has no block of ts');
  return text;
}

interface Sent {
  readonly headers: Record<string, string>;
  readonly body: string;
}

const bodyOf = (shipmentUid: string, stateCode: string) =>
  JSON.stringify({
    messageType: 'ShipmentStatusUpdate',
    message: { shipmentUid, stateCode, stateStart: '2026-03-02T09:15:00', description: 'für Bram' },
  });

interface Signed {
  readonly shipmentUid?: string;
  readonly secondsAgo?: number;
  readonly body?: string;
}

function sent(
  key: string,
  { shipmentUid = 'S-1', secondsAgo = 0, body = bodyOf(shipmentUid, 'ReadyForPickup') }: Signed = {},
): Sent {
  const headers = signatureHeaders(
    { id: 'msg_1', shipmentUid, body, standardWebhooks: true },
    { authType: 'HMAC', signingKeys: [key, 'whsec_Zm9ybWVy'], apiKey: undefined },
    Math.floor(Date.now() / 1_000) - secondsAgo,
  );
  return { headers, body };
}

const forgeries: Readonly<Record<string, (key: string) => Sent>> = {
  'signed with another key': () => sent('another key'),
  'changed on its way': (key) => ({ ...sent(key), body: bodyOf('S-1', 'Cancelled') }),
  'with the HMAC of another shipment': (key) => {
    const other = sent(key, { shipmentUid: 'S-2' });
    const own = sent(key);
    const hmac = other.headers['x-callback-hmac'] ?? '';
    return { ...own, headers: { ...own.headers, 'x-callback-hmac': hmac } };
  },
  'an hour old': (key) => sent(key, { secondsAgo: 3_600 }),
  'not signed': (key) => ({ ...sent(key), headers: {} }),
};

async function receiver(program: string, file: string, keys: readonly string[]): Promise<string> {
  const port = await freePort();
  const env = { ...process.env, AUTH_KEYS: keys.join('\n'), PORT: String(port) };
  const child = endedWithTest(startChild(program, [file], { env }));
  await child.says('listening');
  return `http://127.0.0.1:${port}/`;
}

async function status(url: string, { headers, body }: Sent): Promise<number> {
  const answer = await fetch(url, { method: 'POST', headers, body }).catch(({ message, cause }: Error) => {
    // `fetch failed` alone does not say of what.
    throw new Error(`${message}: ${String(cause)}`, { cause });
  });
  return answer.status;
}

const programs = {
  TypeScript: async () => {
    const file = join(await temporaryFolder(), 'receiver.ts');
    const entry = pathToFileURL(join(root, 'client/callbacks.ts')).href;
    await writeFile(file, example().replace("'lockerflow/callbacks'", `'${entry}'`));
    return [process.execPath, file] as const;
  },
  Python: async () => ['python3', join(root, 'docs/examples/callbacks/receiver.py')] as const,
};

const has = (program: string) => spawnSync(program, ['--version']).status === 0;

describe.each(Object.entries(programs))('the receiver in %s', (language, made) => {
  test.for(KEYS)(
    'takes what is signed with the key %s, and nothing else',
    { timeout: 120_000 },
    async (key, { skip }) => {
      if (language === 'Python' && !has('python3')) return skip('there is no python3 on PATH');
      const former = 'the former key';
      const url = await receiver(...(await made()), [key, former]);
      expect(await status(url, sent(key))).toBe(204);
      expect(await status(url, sent(former))).toBe(204);
      const { headers, body } = sent(key, { body: '{"messageType":"Later","message":{"lockers":7}}' });
      delete headers['x-callback-hmac'];
      expect(await status(url, { headers, body })).toBe(204);
      for (const [name, forged] of Object.entries(forgeries))
        expect(await status(url, forged(key)), name).toBe(401);
    },
  );
});

test('the entry lockerflow/callbacks loads without Temporal', () => {
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith('@temporalio/')) throw new Error('it imports ' + name);
      return next(name, context);
    } });
    const { verifyCallback } = await import(${JSON.stringify(pathToFileURL(join(root, 'client/callbacks.ts')).href)});
    console.log(typeof verifyCallback);
  `;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })).toBe(
    'function\n',
  );
});
