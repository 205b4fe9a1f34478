// A late case, a failed start, a question and a wall that is cut off: what pages show of a bad morning.
import { expect } from 'vitest';
import { sandboxAs } from '../support/sandbox.ts';
import { issueRequest } from './console-world.ts';
import type { InBrowser } from './in-browser.ts';

interface Troubles {
  /** Of a flow file that asks something. */
  readonly file: { readonly flow: string; readonly text: string };
  readonly keys: { readonly asking: string; readonly late: string; readonly failed: string };
}

export async function beginTroubles(at: InBrowser, { file, keys }: Troubles): Promise<void> {
  const { flows, client, people, service } = at.installation;
  await flows.publish([{ path: 'asking.flow.yaml', text: file.text }]);
  await flows.startPublished(file.flow, keys.asking, {});
  await flows.start('Issue', keys.late, { request: issueRequest, deadlines: { issue: { dropOff: 'PT1S' } } });
  await flows.start('Issue', keys.failed, { request: { ...issueRequest, pupUid: 'pup-nowhere' } });
  await expect(client.workflow.getHandle(keys.failed).result()).rejects.toThrow();
  await people.newPickUpPoint('pup-away', 2);
  await (await sandboxAs(service.address))('POST', 'faults', { pupUid: 'pup-away', fault: 'offline' });
}
