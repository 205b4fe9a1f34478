// Writes what is made from the tables of flow-files/: docs/flow-file.schema.json, by which editors complete and check flow
// files, docs/flow-file-reference.md, a page for each example, and the cookbook.
import { writeFile } from 'node:fs/promises';
import { flowTypes } from '../contract/flows/flow-types.ts';
import { flowFileSchema } from '../flow-files/reading/json-schema.ts';
import { examplePages } from './example-pages.ts';
import { flowFileReference } from './flow-file-reference.ts';
import { patternPages } from './patterns.ts';

const schema = `${JSON.stringify(flowFileSchema(flowTypes), null, 2)}\n`;
await writeFile(new URL('flow-file.schema.json', import.meta.url), schema);
await writeFile(new URL('flow-file-reference.md', import.meta.url), flowFileReference());
for (const [name, page] of await examplePages())
  await writeFile(new URL(`examples/${name}`, import.meta.url), page);
for (const [name, page] of await patternPages()) await writeFile(new URL(name, import.meta.url), page);
