// Writes what is said of the flows (npm run docs): docs/flows.md, docs/charts/ and contract/flows/flow-rules.ts.
// A test fails when one of them is not what this would write.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { chartFiles } from './flow-charts.ts';
import { flowRulesFile } from './flow-rules.ts';
import { flowsPage } from './flows.ts';

await writeFile(new URL('flows.md', import.meta.url), flowsPage());
await writeFile(new URL('../contract/flows/flow-rules.ts', import.meta.url), flowRulesFile());
await rm(new URL('charts/', import.meta.url), { recursive: true, force: true });
for (const [path, text] of await chartFiles()) {
  const file = new URL(`charts/${path}`, import.meta.url);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, text);
}
