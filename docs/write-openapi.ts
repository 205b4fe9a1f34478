// Writes docs/openapi.json from the contract (npm run docs). A test fails when the file is not what this would write.
import { writeFile } from 'node:fs/promises';
import { openApiDocument } from '../contract/openapi/openapi.ts';

await writeFile(new URL('openapi.json', import.meta.url), `${JSON.stringify(openApiDocument(), null, 2)}\n`);
