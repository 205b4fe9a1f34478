// A folder of flow files, as `lockerflow dev` follows it: what has changed is linted and published, and the stories that the change
// concerns are played.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatFound, type LintedFile, lintedFiles } from '../../cli/linted-files.ts';
import { flowFilesPlayed, isStoryPath, resultsOf, type StoryResults } from '../../cli/stories.ts';
import type { FlowFileText } from '../../client/flow-files/check-texts.ts';
import { flowFilesIn } from '../../client/flow-files/flow-file-folder.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import { isCalendarsPath } from '../../flows/language/reading/shared-calendars.ts';
import { commandErrorOf } from '../../processes/outcome.ts';
import type { ConnectorNames } from '../../shared/settings/connector-names.ts';
import { CommandFailed, exitCodes } from '../../shared/terminal/exit-codes.ts';
import type { Say } from '../components/component.ts';

export interface Publishing {
  published(): Promise<readonly FlowFile[]>;
  /** All of them or none. Gives the lines for a person. */
  publish(files: readonly FlowFileText[]): Promise<readonly string[]>;
}

export interface FlowFolderOptions {
  readonly publishing: Publishing;
  /** Null: their names are not checked. */
  readonly connectors: ConnectorNames | null;
  readonly say: Say;
}

/** By path: flow files, the calendars that they share, and stories. */
type Texts = ReadonlyMap<string, string>;

export class FlowFolder {
  readonly #folder: string;
  readonly #options: FlowFolderOptions;
  #texts: Texts = new Map();
  /** By path of a flow file: what was published of it last, with the calendars. */
  readonly #published = new Map<string, string>();
  /** By path of a flow file: its findings, as they were told last. */
  readonly #told = new Map<string, string>();
  #lastFailure = '';

  constructor(folder: string, options: FlowFolderOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  flowFiles(): string[] {
    return flowPaths(this.#texts);
  }

  /** False where the same may be possible later, without a change of the folder. */
  async update(): Promise<boolean> {
    try {
      await this.#update();
      this.#lastFailure = '';
      return true;
    } catch (error) {
      const { message, isPassing } = failureOf(error);
      // It is tried again every few seconds.
      if (message !== this.#lastFailure)
        sayLines(this.#options.say, this.#folder, message, isPassing ? 'warn' : 'error');
      this.#lastFailure = message;
      return !isPassing;
    }
  }

  async #update(): Promise<void> {
    const { publishing, connectors } = this.#options;
    const texts = await textsIn(this.#folder);
    const changed = changedPaths(this.#texts, texts);
    const isPending = flowPaths(texts).some((path) => !this.#isPublished(path, texts));
    if (changed.size === 0 && !isPending) return;
    const published = await publishing.published();
    const linted = await lintedFiles(flowPaths(texts), { connectors, published });
    this.#texts = texts;
    this.#forgetRemoved();
    for (const each of linted) this.#tellFindings(each, changed);
    await this.#playStories(linted, changed);
    const clean = linted.filter(({ findings }) => findings.length === 0).map(({ path }) => path);
    await this.#publish(clean.filter((path) => !this.#isPublished(path, texts)));
  }

  #isPublished(path: string, texts: Texts): boolean {
    return this.#published.get(path) === contentOf(path, texts);
  }

  #forgetRemoved(): void {
    for (const path of this.#told.keys()) {
      if (this.#texts.has(path)) continue;
      this.#told.delete(path);
      if (this.#published.delete(path))
        this.#options.say(path, 'is gone; its flow stays published, and its processes go on', 'warn');
    }
  }

  /** Those of a file that has changed, and of another one where they are not what they were. */
  #tellFindings({ path, findings }: LintedFile, changed: ReadonlySet<string>): void {
    const { say } = this.#options;
    const lines = findings.map(({ line, column, ...finding }) => ({
      place: [path, line, column].filter((part) => part !== undefined).join(':'),
      words: formatFound(finding as typeof finding & LintedFile['findings'][number]),
    }));
    const told = JSON.stringify(lines);
    if (lines.length > 0 && (changed.has(path) || this.#told.get(path) !== told)) {
      for (const { place, words } of lines) say(place, words, 'error');
      say(path, `is not published before ${lines.length === 1 ? 'this is' : 'these are'} mended`, 'error');
    }
    this.#told.set(path, told);
  }

  /** Those of a flow file that is not valid would only repeat what is wrong with it. */
  async #playStories(linted: readonly LintedFile[], changed: ReadonlySet<string>): Promise<void> {
    const invalid = new Set(linted.flatMap(({ path, file }) => (file === null ? [path] : [])));
    const ofAll = [...changed].some(isCalendarsPath);
    for (const path of [...this.#texts.keys()].filter(isStoryPath)) {
      const played = await flowFilesPlayed(path);
      const isConcerned = ofAll || changed.has(path) || played.some((each) => changed.has(each));
      if (isConcerned && !played.some((each) => invalid.has(each)))
        tellResults(this.#options.say, path, await resultsOf(path));
    }
  }

  async #publish(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const shared = [...this.#texts.keys()].filter(isCalendarsPath);
    const files = [...paths, ...shared].map((path) => ({ path, text: this.#texts.get(path) ?? '' }));
    const lines = await this.#options.publishing.publish(files);
    for (const path of paths) this.#published.set(path, contentOf(path, this.#texts));
    for (const line of lines) this.#options.say('lockerflow', line.trim());
  }
}

async function textsIn(folder: string): Promise<Texts> {
  const stories = (await readdir(folder)).filter(isStoryPath).sort();
  const files = [
    ...(await flowFilesIn(folder)),
    ...(await Promise.all(
      stories.map(async (name) => {
        const path = join(folder, name);
        return { path, text: await readFile(path, 'utf8') };
      }),
    )),
  ];
  return new Map(files.map(({ path, text }) => [path, text]));
}

const flowPaths = (texts: Texts): string[] =>
  [...texts.keys()].filter((path) => !isStoryPath(path) && !isCalendarsPath(path));

/** What is published of a file: its calendars are a part of it. */
const contentOf = (path: string, texts: Texts): string =>
  JSON.stringify([texts.get(path), [...texts].filter(([each]) => isCalendarsPath(each))]);

const changedPaths = (before: Texts, after: Texts): ReadonlySet<string> =>
  new Set([...before.keys(), ...after.keys()].filter((path) => before.get(path) !== after.get(path)));

function tellResults(say: Say, path: string, { stories, problems }: StoryResults): void {
  if (problems.length > 0) {
    say(path, 'its stories cannot be played', 'error');
    for (const problem of problems) sayLines(say, path, problem, 'error');
    return;
  }
  const failed = stories.filter((each) => each.problems.length > 0);
  if (failed.length === 0) {
    say(path, `${countOf(stories)} passed`);
    return;
  }
  say(path, `${failed.length} of ${countOf(stories)} failed`, 'error');
  for (const { story, problems: found } of failed)
    say(path, `${story.replace(/[.:]$/, '')}: ${found[0]}`, 'error');
}

const countOf = ({ length }: StoryResults['stories']): string =>
  `${length} ${length === 1 ? 'story' : 'stories'}`;

function sayLines(say: Say, subject: string, message: string, level: 'warn' | 'error'): void {
  for (const line of message.split('\n')) say(subject, line.trim(), level);
}

/** Passing: Temporal or the worker does not answer for now. */
function failureOf(error: unknown): { readonly message: string; readonly isPassing: boolean } {
  if (error instanceof CommandFailed)
    return { message: error.message, isPassing: error.exitCode === exitCodes.unreachable };
  const { message, kind } = commandErrorOf(error) ?? { message: String(error), kind: undefined };
  // Without a kind nobody foresaw it, such as a file that is gone before it is read.
  return { message, isPassing: kind === undefined || kind === 'unreachable' };
}
