// Writes docs/asyncapi.json from the contract (npm run docs). A test fails when the file is not what this would write.
import { writeFile } from 'node:fs/promises';
import { asyncApiDocument } from '../contract/wall/asyncapi.ts';

await writeFile(
  new URL('asyncapi.json', import.meta.url),
  `${JSON.stringify(asyncApiDocument(), null, 2)}\n`,
);
