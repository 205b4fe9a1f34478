// `new`: copies a flow file of the cookbook and its stories, to start from.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { NAME } from '../../../flows/language/flow-file.ts';
import { nearestOf } from '../../../flows/language/nearest-names.ts';
import { CommandFailed, wrongUse } from '../../../shared/terminal/exit-codes.ts';
import { report } from '../../../shared/terminal/report.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';

const PATTERNS = join(import.meta.dirname, '../../../docs/examples/patterns');
const [FLOW, STORIES] = ['.flow.yaml', '.stories.yaml'] as const;

export function addNew(program: Command, terminal: Terminal): void {
  program
    .command('new')
    .description(
      'copy a pattern of the cookbook, a flow file and its stories, into this folder; without a pattern: list them',
    )
    .argument('[pattern]', 'such as waiting/open-days, or its last part alone')
    .argument('[Name]', 'the name of the new flow; that of the pattern unless given')
    .addHelpText('after', EXAMPLES)
    .action(async (pattern: string | undefined, name: string | undefined, _: object, command: Command) => {
      const patterns = await allPatterns();
      if (pattern === undefined)
        return report(terminal, command, {
          text: patterns.flatMap(({ path, meaning }) => [path, `  ${meaning}`]),
          data: { items: patterns },
        });
      const written = await copied(patternNamed(patterns, pattern), name);
      report(terminal, command, {
        text: [...written.map((each) => `${each} is written`), `check it: lockerflow test ${written[1]}`],
        data: { files: written },
      });
    });
}

const EXAMPLES = `
Examples:
  lockerflow new
  lockerflow new waiting/open-days
  lockerflow new held-for-the-next DeskLoan`;

interface Pattern {
  /** Such as waiting/open-days. */
  readonly path: string;
  readonly meaning: string;
}

async function allPatterns(): Promise<readonly Pattern[]> {
  const paths = (await readdir(PATTERNS, { recursive: true }))
    .filter((path) => path.endsWith(FLOW))
    .map((path) => path.slice(0, -FLOW.length).replaceAll('\\', '/'))
    .sort();
  return await Promise.all(
    paths.map(async (path) => {
      const [, meaning = ''] = /^meaning: (.*)$/m.exec(await read(path, FLOW)) ?? [];
      return { path, meaning };
    }),
  );
}

const read = (path: string, ending: string): Promise<string> =>
  readFile(join(PATTERNS, `${path}${ending}`), 'utf8');

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function patternNamed(patterns: readonly Pattern[], name: string): Pattern {
  const found = patterns.find(({ path }) => path === name || lastOf(path) === name);
  if (found) return found;
  const near = nearestOf(
    lastOf(name),
    patterns.map(({ path }) => lastOf(path)),
  );
  throw wrongUse(
    `${name} is no pattern of the cookbook${near === undefined ? '' : ` (did you mean ${near}?)`}; lockerflow new lists them`,
  );
}

/** Writes both files or neither, never over existing ones. Returns their paths. */
async function copied({ path }: Pattern, name: string | undefined): Promise<readonly [string, string]> {
  if (name !== undefined && !NAME.test(name))
    throw wrongUse(`${name} is not the name of a flow; expected one like DeskLoan`);
  const [flow, stories] = await Promise.all([read(path, FLOW), read(path, STORIES)]);
  const base = name === undefined ? lastOf(path) : kebabCase(name);
  const files = [
    [`${base}${FLOW}`, named(flow, name)],
    [`${base}${STORIES}`, stories.replace(/^flow: .*$/m, `flow: ${base}${FLOW}`)],
  ] as const;
  await writeAll(files);
  return [files[0][0], files[1][0]];
}

async function writeAll(files: readonly (readonly [path: string, text: string])[]): Promise<void> {
  const written: string[] = [];
  for (const [file, text] of files)
    try {
      await writeFile(file, text, { flag: 'wx' });
      written.push(file);
    } catch (error) {
      const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
      for (const own of isThere ? written : [...written, file]) await rm(own, { force: true });
      const reason = isThere ? 'it is there already' : (error as Error).message;
      throw new CommandFailed('failed', `${file} cannot be written: ${reason}`);
    }
}

const SCHEMA = '# yaml-language-server: $schema=./node_modules/lockerflow/dist/docs/flow-file.schema.json';

const named = (flow: string, name: string | undefined): string =>
  flow
    .replace(/^# yaml-language-server: .*$/m, SCHEMA)
    .replace(/^name: .*$/m, (line) => (name === undefined ? line : `name: ${name}`));

const kebabCase = (name: string): string => name.replaceAll(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase();
