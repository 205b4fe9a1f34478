// `npm run docs` writes the pages and files that are made from code. With --check (`npm run check`) it writes nothing, and names
// those in git that are not what it would write.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { flowTypes } from '../contract/flows/flow-types.ts';
import { openApiDocument } from '../contract/openapi/openapi.ts';
import { flowFileSchema } from '../flows/language/reading/json-schema.ts';
import { write, writeError } from '../shared/terminal/terminal.ts';
import { commandLinePage } from './command-line.ts';
import { chartFiles } from './flow-charts.ts';
import { flowFileReference } from './flow-file-reference.ts';
import { flowRulesFile } from './flow-rules.ts';
import { flowsPage } from './flows.ts';
import { patternsPage } from './patterns.ts';
import { shipmentStatesPage } from './shipment-states.ts';

const root = dirname(import.meta.dirname);
const json = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`;
const below = (folder: string, pages: Iterable<readonly [string, string]>) =>
  [...pages].map(([name, text]) => [`${folder}/${name}`, text] as const);

/** Not in git: a running service serves the first, the package has the second. */
const ignored = new Map<string, string>([
  ['docs/openapi.json', json(openApiDocument())],
  ['docs/flow-file.schema.json', json(flowFileSchema(flowTypes))],
]);

const files = new Map<string, string>([
  ['docs/shipment-states.md', shipmentStatesPage()],
  ['docs/flows.md', flowsPage()],
  ['contract/flows/flow-rules.ts', flowRulesFile()],
  ['docs/command-line.md', await commandLinePage()],
  ['docs/flow-file-reference.md', flowFileReference()],
  ...below('docs/charts', await chartFiles()),
  ['docs/patterns.md', await patternsPage()],
]);

/** Charts of flows that are no more. */
const dead = globSync('docs/charts/**/*.*', { cwd: root }).filter((path) => !files.has(path));
const stale = ([path, text]: readonly [string, string]) =>
  !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text;

if (process.argv.includes('--check')) {
  for (const path of [...[...files].filter(stale).map(([path]) => path), ...dead]) {
    writeError(`${path} is not what the code says: \`npm run docs\` writes it\n`);
    process.exitCode = 1;
  }
} else {
  for (const [path, text] of [...files, ...ignored].filter(stale)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    write(`${relative(process.cwd(), file)}\n`);
  }
  for (const path of dead) rmSync(join(root, path));
}
