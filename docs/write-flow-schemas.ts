// Writes docs/flow-schemas.json from the contract and the recorded examples (npm run docs). A test fails when the file is not
// what this would write.
import { writeFile } from 'node:fs/promises';
import { flowSchemas } from '../contract/flow-schemas/flow-schemas.ts';
import examples from './flow-examples.json' with { type: 'json' };

await writeFile(
  new URL('flow-schemas.json', import.meta.url),
  `${JSON.stringify(flowSchemas(examples), null, 2)}\n`,
);
