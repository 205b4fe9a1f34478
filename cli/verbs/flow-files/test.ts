// `test`: plays the stories beside flow files in virtual time, and says which ones fail.
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { type FlowFile, isMap } from '../../../flows/language/flow-file.ts';
import { inputIssues, unknownStartFields } from '../../../flows/language/reading/input-schema.ts';
import { type At, formatFinding, formatPlace, pathOf } from '../../../flows/language/reading/report.ts';
import { parsedText } from '../../../flows/language/reading/yaml.ts';
import {
  play,
  type Story,
  type StoryFile,
  type StoryResult,
  storyFileProblems,
  type Versions,
  versionsIn,
} from '../../../flows/simulation/story.ts';
import { escapeControlCharacters } from '../../../shared/terminal/escape-control-characters.ts';
import { CommandFailed, wrongUse } from '../../../shared/terminal/exit-codes.ts';
import { wantsJson } from '../../../shared/terminal/report.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { soundFile } from '../../flow-file-text.ts';

export function addTest(program: Command, terminal: Terminal): void {
  program
    .command('test')
    .description(
      'run the stories beside flow files, in virtual time; each story gives events and the expected state',
    )
    .argument('[DIR]', 'a folder with *.stories.yaml, or one such file', '.')
    .addHelpText('after', EXAMPLES)
    .action(async (place: string, _: unknown, command: Command) => {
      const paths = await storyFiles(place);
      if (paths.length === 0) throw wrongUse(`${place} has no stories; expected files named *.stories.yaml`);
      const begun = performance.now();
      const all: Results[] = [];
      for (const path of paths) {
        const results = await resultsOf(path);
        all.push(results);
        terminal.write(
          wantsJson(command) ? `${JSON.stringify(asJson(path, results))}\n` : formatResults(path, results),
        );
      }
      const counted = countedOf(all);
      if (!wantsJson(command))
        terminal.write(`${sumOf(counted)}, ${Math.round(performance.now() - begun)} ms\n`);
      if (counted.wrong + counted.invalid > 0)
        throw new CommandFailed('failed', `stories have failed: ${sumOf(counted)}`);
    });
}

const asJson = (file: string, { stories, problems }: Results) =>
  problems.length > 0 ? { file, problems } : { file, stories };

interface Counted {
  readonly stories: number;
  readonly wrong: number;
  readonly invalid: number;
}

function countedOf(all: readonly Results[]): Counted {
  const stories = all.flatMap((each) => each.stories);
  return {
    stories: stories.length,
    wrong: stories.filter(({ problems }) => problems.length > 0).length,
    invalid: all.filter(({ problems }) => problems.length > 0).length,
  };
}

const sumOf = ({ stories, wrong, invalid }: Counted): string =>
  [
    `${stories} ${stories === 1 ? 'story' : 'stories'}, ${wrong} failed`,
    ...(invalid > 0 ? [`${invalid} ${invalid === 1 ? 'file' : 'files'} invalid`] : []),
  ].join(', ');

const EXAMPLES = `
Examples:
  lockerflow test flows/
  lockerflow test flows/device-loan.stories.yaml --json`;

const STORIES = /\.stories\.(?:ya?ml|json)$/;

async function storyFiles(place: string): Promise<string[]> {
  const stats = await stat(place).catch((cause: Error) => {
    throw wrongUse(`${place} cannot be read (${cause.message}); expected a folder or a file of stories`);
  });
  if (!stats.isDirectory()) return [place];
  const names = await readdir(place, { recursive: true });
  return names
    .filter((name) => STORIES.test(name) && !name.split('/').includes('node_modules'))
    .sort()
    .map((name) => join(place, name));
}

interface Results {
  readonly stories: readonly StoryResult[];
  /** Why none of its stories can be played. */
  readonly problems: readonly string[];
}

async function resultsOf(path: string): Promise<Results> {
  const { data, findings, placeOf } = parsedText(await readFile(path, 'utf8'));
  const problems =
    findings.length > 0
      ? findings.map(formatFinding)
      : storyFileProblems(data).map(
          ({ at, message }) => `${formatPlace(placeOf(at) ?? {}, pathOf(at))}: ${message}`,
        );
  if (problems.length > 0) return { stories: [], problems };
  const { flow, stories } = data as unknown as StoryFile;
  const place = (at: At) => formatPlace(placeOf(at) ?? {}, '');
  try {
    const file = await soundFile(join(dirname(path), flow));
    const versions = await versionsFor(path, stories);
    return {
      stories: stories.map((story, index) => played(file, story, index, { place, versions })),
      problems: [],
    };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { stories: [], problems: [`${place(['flow'])}: ${error.message}`] };
  }
}

/** Those that stories name: files beside them. */
async function versionsFor(path: string, stories: readonly Story[]): Promise<Versions> {
  const named = new Set(stories.flatMap(versionsIn));
  const versions = new Map<string, FlowFile>();
  for (const each of named) versions.set(each, await soundFile(join(dirname(path), each)));
  return versions;
}

interface StoryContext {
  readonly versions: Versions;
  readonly place: (at: At) => string;
}

function played(file: FlowFile, story: Story, index: number, { place, versions }: StoryContext): StoryResult {
  const at = ['stories', index];
  const begunOn = versions.get(story.given?.version as string) ?? file;
  const { input = {}, start, event } = story.given ?? {};
  const issues =
    event === undefined
      ? [...unknownStartFields(begunOn, isMap(start) ? start : {}), ...inputIssues(begunOn.input, input)]
      : [];
  if (issues.length > 0) {
    const where = place([...at, 'given', 'input']);
    const problems = issues.map(({ field, message }) => `${where}: start: ${field} ${message}`);
    return { story: story.story, problems };
  }
  const { problems, at: step = [] } = play(file, story, versions);
  const where = place([...at, ...step]);
  return { story: story.story, problems: problems.map((each) => `${where}: ${each}`) };
}

function formatResults(path: string, { stories, problems: invalid }: Results): string {
  const lines = stories.flatMap(({ story, problems }) => [
    `  ${problems.length === 0 ? 'ok   ' : 'WRONG'} ${escapeControlCharacters(story)}`,
    ...problems.map((problem) => `          ${escapeControlCharacters(problem)}`),
  ]);
  const wrong = invalid.flatMap((each) =>
    each.split('\n').map((line) => `  ${escapeControlCharacters(line)}`),
  );
  const head =
    invalid.length > 0
      ? `${escapeControlCharacters(path)}: its stories cannot be played`
      : escapeControlCharacters(path);
  return `${[head, ...wrong, ...lines].join('\n')}\n`;
}
