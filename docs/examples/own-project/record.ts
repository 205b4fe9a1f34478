// Records the histories of processes for replay.test.ts: `node record.ts order-1042 loan-17`. It never overwrites one.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { connectTemporal } from 'lockerflow/client';

const folder = join(import.meta.dirname, 'histories');
await mkdir(folder, { recursive: true });
const { client, close } = await connectTemporal();
for (const key of process.argv.slice(2)) {
  const history = await client.workflow.getHandle(key).fetchHistory();
  await writeFile(join(folder, `${encodeURIComponent(key)}.json`), historyToJSON(history), { flag: 'wx' });
}
await close();
