// Holds what is said to flows and by them to docs/flow-schemas.json. With RECORD_FLOW_EXAMPLES (npm run docs:examples) the
// first of each kind becomes the example of its definition there.
import { readFile, writeFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { flowSchemas } from '../../../contract/flow-schemas/flow-schemas.ts';

export const isRecording = Boolean(process.env.RECORD_FLOW_EXAMPLES);

const schemas = flowSchemas();
const ajv = new Ajv2020({ strict: false });
ajv.addSchema(schemas, 'flow-schemas');

const recorded = new Map<string, unknown>();

/** `name` is a definition, like Issue.progress. */
export function expectAsDescribed(name: string, value: unknown): void {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  const validate = ajv.getSchema(`flow-schemas#/$defs/${name}`);
  if (!validate) throw new TypeError(`docs/flow-schemas.json has no ${name}`);
  validate(plain);
  expect(validate.errors, `${name}: ${JSON.stringify(plain)}`).toBeNull();
  if (!recorded.has(name) || (isFollowing(plain) && !isFollowing(recorded.get(name))))
    recorded.set(name, plain);
}

/** The better example of a progress. */
const isFollowing = (value: unknown) =>
  (value as { readonly activity?: string } | null)?.activity === 'Following';

/** After the last test of a file. */
export async function recordExamples(): Promise<void> {
  if (!isRecording) return;
  const file = new URL('../../../docs/flow-examples.json', import.meta.url);
  const before = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  const now = Object.fromEntries([...recorded].map(([name, value]) => [name, [value]]));
  const all = Object.entries({ ...before, ...now }).sort(([a], [b]) => (a < b ? -1 : 1));
  await writeFile(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
