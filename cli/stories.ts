// The stories beside flow files: which files they are in, and how they end when they are played in virtual time.
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flowFilesIn } from '../client/flow-files/flow-file-folder.ts';
import { invokeSchemas } from '../contract/flow-schemas/flow-schemas.ts';
import { type FlowFile, invokesIn, isMap } from '../flows/language/flow-file.ts';
import { kindOfActor } from '../flows/language/machine/actor-kinds.ts';
import { eachOf } from '../flows/language/machine/each-data.ts';
import { inputIssues, unknownStartFields } from '../flows/language/reading/input-schema.ts';
import { type At, formatFinding, formatPlace, pathOf } from '../flows/language/reading/report.ts';
import { isCalendarsPath } from '../flows/language/reading/shared-calendars.ts';
import { parsedText } from '../flows/language/reading/yaml.ts';
import { play, type StoryResult } from '../flows/simulation/play-story.ts';
import type { Versions } from '../flows/simulation/story-events.ts';
import { type Story, type StoryFile, storyFileProblems, versionsIn } from '../flows/simulation/story-file.ts';
import { CommandFailed, wrongUse } from '../shared/terminal/exit-codes.ts';
import { checkedFile, namesAtHand, soundFile } from './flow-file-text.ts';

const STORIES = /\.stories\.(?:ya?ml|json)$/;

export const isStoryPath = (path: string): boolean => STORIES.test(path);

export async function storyFilesIn(place: string): Promise<string[]> {
  const stats = await stat(place).catch((cause: Error) => {
    throw wrongUse(`${place} cannot be read (${cause.message}); expected a folder or a file of stories`);
  });
  if (!stats.isDirectory()) return [place];
  const names = await readdir(place, { recursive: true });
  return names
    .filter((name) => isStoryPath(name) && !name.split('/').includes('node_modules'))
    .sort()
    .map((name) => join(place, name));
}

export interface StoryResults {
  readonly stories: readonly StoryResult[];
  /** Why none of its stories can be played. */
  readonly problems: readonly string[];
}

export async function resultsOf(path: string): Promise<StoryResults> {
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
    const flowPath = join(dirname(path), flow);
    const file = await soundFile(flowPath);
    const versions = await versionsFor(path, stories);
    const files = await filesBeside(flowPath, [file, ...versions.values()]);
    return {
      stories: stories.map((story, index) => played(file, story, index, { place, versions, files })),
      problems: [],
    };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { stories: [], problems: [`${place(['flow'])}: ${error.message}`] };
  }
}

/** The paths of the flow files that its stories play; none where it is no file of stories. */
export async function flowFilesPlayed(path: string): Promise<string[]> {
  const { data, findings } = parsedText(await readFile(path, 'utf8'));
  if (findings.length > 0 || storyFileProblems(data).length > 0) return [];
  const { flow, stories } = data as unknown as StoryFile;
  return [flow, ...stories.flatMap(versionsIn)].map((each) => join(dirname(path), each));
}

/** Those that stories name: files beside them. */
async function versionsFor(path: string, stories: readonly Story[]): Promise<Versions> {
  const named = new Set(stories.flatMap(versionsIn));
  const versions = new Map<string, FlowFile>();
  for (const each of named) versions.set(each, await soundFile(join(dirname(path), each)));
  return versions;
}

/** The other files of the folder, without those that are not valid; none where no flow is invoked that could be among them. */
async function filesBeside(path: string, versions: readonly FlowFile[]): Promise<FlowFile[]> {
  const invoked = versions.flatMap(invokesIn).map(({ invoke }) => (eachOf(invoke)?.do ?? invoke).src);
  if (!invoked.some((src) => kindOfActor(src) === 'flow' && !namesAtHand.builtIn.includes(src))) return [];
  const beside = (await flowFilesIn(dirname(path))).filter((each) => !isCalendarsPath(each.path));
  const read = await Promise.all(beside.map((each) => checkedFile(each.path)));
  return read.flatMap(({ file }) => file ?? []);
}

interface StoryContext {
  readonly versions: Versions;
  readonly files: readonly FlowFile[];
  readonly place: (at: At) => string;
}

function played(
  file: FlowFile,
  story: Story,
  index: number,
  { place, versions, files }: StoryContext,
): StoryResult {
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
  const { problems, at: step = [] } = play(file, story, { versions, files, schemasOf: invokeSchemas });
  const where = place([...at, ...step]);
  return { story: story.story, problems: problems.map((each) => `${where}: ${each}`) };
}
