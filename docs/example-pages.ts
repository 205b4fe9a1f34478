// The pages docs/examples/: one for each flow file in examples/flow-files/, made from the file and the stories beside it.
import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { soundFile } from '../client/command-line/flow-file-text.ts';
import { chartView } from '../driver/chart/chart-view.ts';
import { drawingOf } from '../driver/chart/drawing.ts';
import { mermaid } from '../driver/chart/mermaid.ts';
import type { FlowFile, JsonObject } from '../flow-files/flow-file.ts';
import { idleMachineOf } from '../flow-files/machine/machine.ts';
import { nodesOf } from '../flow-files/reading/walk.ts';

const SUFFIX = '.flow.yaml';
const folder = new URL('../examples/flow-files/', import.meta.url);

interface Story {
  readonly story: string;
  readonly steps: readonly { readonly when?: JsonObject }[];
}

/** By the name of the page's file. */
export async function examplePages(): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((file) => file.endsWith(SUFFIX)).sort();
  const pages = await Promise.all(names.map((file) => examplePage(file.slice(0, -SUFFIX.length))));
  return new Map(pages);
}

async function examplePage(example: string): Promise<[string, string]> {
  const file = await soundFile(new URL(`${example}${SUFFIX}`, folder).pathname);
  const { stories } = parse(await readFile(new URL(`${example}.stories.yaml`, folder), 'utf8')) as {
    readonly stories: readonly Story[];
  };
  const lines = [
    ...[`# ${file.name}`, '', WRITTEN, '', file.meaning, ''],
    `The files: [${example}${SUFFIX}](../../examples/flow-files/${example}${SUFFIX}) and its stories,`,
    `[${example}.stories.yaml](../../examples/flow-files/${example}.stories.yaml). Copy both, and change them.`,
    ...['', '```mermaid', mermaid(drawingOf(chartView(idleMachineOf(file)))), '```', ''],
    ...section('What a start takes', inputTable(file)),
    ...section('Its states', stateTable(file)),
    ...section('Its stories', stories.flatMap(storyLines)),
    ...section('Try it', [
      '`npm start` publishes it. In a folder with a copy of both files:',
      '',
      `- \`npx lockerflow test\` tells its stories in virtual time.`,
      `- \`npx lockerflow try ${example}${SUFFIX}\` plays it: you say what happens.`,
      `- \`npx lockerflow publish ${example}${SUFFIX}\` publishes your copy; give it a name of its own before.`,
      `- \`npx lockerflow start ${file.name} --key my-first --input input.json\` starts one; \`show\` and \`watch\` follow it.`,
    ]),
  ];
  return [`${example}.md`, `${lines.join('\n').trimEnd()}\n`];
}

const WRITTEN =
  '<!-- Written by `npm run docs` from examples/flow-files/; a test fails when it is not current. -->';

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const code = (text: string) => `\`${cell(text)}\``;

function inputTable({ input }: FlowFile): string[] {
  const { properties = {}, required = [] } = (input ?? {}) as {
    readonly properties?: Readonly<Record<string, { readonly type?: string; readonly description?: string }>>;
    readonly required?: readonly string[];
  };
  const rows = Object.entries(properties).map(
    ([name, { type = 'any', description = '' }]) =>
      `| ${code(name)} | ${type} | ${required.includes(name) ? 'yes' : ''} | ${cell(description)} |`,
  );
  return rows.length === 0
    ? []
    : ['| field of `request` | type | needed | |', '| --- | --- | --- | --- |', ...rows];
}

function stateTable(file: FlowFile): string[] {
  const rows = nodesOf(file)
    .filter(({ state }) => state.description !== undefined)
    .map(({ keys, state }) => `| ${code(keys.join('.'))} | ${cell(state.description ?? '')} |`);
  return rows.length === 0 ? [] : ['| state | |', '| --- | --- |', ...rows];
}

const storyLines = ({ story, steps }: Story): string[] => [
  `- **${story}** ${steps.flatMap(({ when }) => (when ? [whenWords(when)] : [])).join('; ')}`,
];

/** Like "passes PT8H", "answer handover". */
function whenWords(when: JsonObject): string {
  const [[what, which] = ['', '']] = Object.entries(when);
  return typeof which === 'string' ? `${what} ${code(which)}` : what;
}
