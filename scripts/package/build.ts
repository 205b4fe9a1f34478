// `npm run build`, its first half, and the first of `npm pack`. Makes dist/: the published entries and what they import as
// JavaScript with types, in the folders of the sources, so that what a file looks for beside itself is where it was. What is
// published of it, package.json says.
import { execFile } from 'node:child_process';
import { cp, glob, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { flowSchemas } from '../../contract/flow-schemas/flow-schemas.ts';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import flowExamples from '../../docs/flow-examples.json' with { type: 'json' };
import { flowFileSchema } from '../../flows/language/reading/json-schema.ts';

/** Built by the set-up; served by `lockerflow-console`. */
const consolePage = 'console/page/dist';

/** What the code reads beside itself, by the folder: the cookbook is copied by `lockerflow new`. */
const copied = [
  'docs/examples/patterns',
  'service/storage/functions',
  'service/storage/migrations',
  'service/simulated-wall/kiosk',
  'shared/styles',
] as const;

export async function buildPackage(root: string): Promise<void> {
  const dist = join(root, 'dist');
  await removeFolders(dist);
  await compile(root, 'tsconfig.json');
  await compile(root, 'tsconfig.dev.json');
  for await (const path of glob('**/*.d.ts', { cwd: dist })) await nameBuiltFiles(join(dist, path));
  await cp(join(root, consolePage), join(dist, consolePage), { recursive: true });
  await mkdir(join(dist, 'docs'), { recursive: true });
  for (const folder of copied) await cp(join(root, folder), join(dist, folder), { recursive: true });
  // Not in git: they follow from the contract. Editors of flow files read the first.
  await writeJson(join(dist, 'docs/flow-file.schema.json'), flowFileSchema(flowTypes));
  await writeJson(join(dist, 'docs/flow-schemas.json'), flowSchemas(flowExamples));
}

const writeJson = (path: string, value: unknown) => writeFile(path, `${JSON.stringify(value, null, 2)}\n`);

/** What was built before; the workers' bundle beside them stays. */
async function removeFolders(dist: string): Promise<void> {
  await mkdir(dist, { recursive: true });
  for (const entry of await readdir(dist, { withFileTypes: true }))
    if (entry.isDirectory()) await rm(join(dist, entry.name), { recursive: true });
}

/** Several compute the same types again: twice the work, in the same time on two cores. */
const ONE_CHECKER = ['--checkers', '1'];

/** Throws an Error with what the compiler said. */
async function compile(root: string, project: string): Promise<void> {
  const tsc = join(root, 'node_modules/.bin/tsc');
  try {
    await promisify(execFile)(tsc, ['--project', join(root, 'scripts/package', project), ...ONE_CHECKER]);
  } catch (cause) {
    const said = cause instanceof Error && 'stdout' in cause ? `:\n${cause.stdout}` : '';
    throw new Error(`the package cannot be built${said}`, { cause });
  }
}

/** The compiler leaves .ts in the imports of declarations: tools other than itself would look for the sources. */
async function nameBuiltFiles(declarations: string): Promise<void> {
  const text = await readFile(declarations, 'utf8');
  await writeFile(declarations, text.replaceAll(/(['"]\.{1,2}\/[^'"\n]+)\.ts(?=['"])/g, '$1.js'));
}

if (import.meta.main) await buildPackage(join(import.meta.dirname, '../..'));
