// Writes docs/flows.md and contract/flows/flow-rules.ts from flows/ and workflows/ (npm run docs). A test fails when one of
// them is not what this would write.
import { writeFile } from 'node:fs/promises';
import { flowRulesFile } from './flow-rules.ts';
import { flowsPage } from './flows.ts';

await writeFile(new URL('flows.md', import.meta.url), flowsPage());
await writeFile(new URL('../contract/flows/flow-rules.ts', import.meta.url), flowRulesFile());
