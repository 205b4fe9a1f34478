// `test`: plays the stories beside flow files in virtual time, and says which ones fail.
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import {
  play,
  type StoryFile,
  type StoryResult,
  storyFileProblems,
} from '../../../flow-files/playing/story.ts';
import { wordsOfFinding } from '../../../flow-files/reading/finding.ts';
import { inputIssues } from '../../../flow-files/reading/input-schema.ts';
import { parsedText } from '../../../flow-files/reading/yaml.ts';
import { CommandFailed, wrongUse } from '../../../runtime/terminal/exit-codes.ts';
import { wantsJson } from '../../../runtime/terminal/report.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { soundFile } from '../flow-file-text.ts';

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
      let [count, wrong] = [0, 0];
      for (const path of paths) {
        const results = await resultsOf(path);
        count += results.length;
        wrong += results.filter(({ problems }) => problems.length > 0).length;
        terminal.write(
          wantsJson(command) ? `${JSON.stringify({ file: path, stories: results })}\n` : words(path, results),
        );
      }
      if (!wantsJson(command))
        terminal.write(
          `${count} ${count === 1 ? 'story' : 'stories'}, ${wrong} failed, ${Math.round(performance.now() - begun)} ms\n`,
        );
      if (wrong > 0) throw new CommandFailed('failed', `${wrong} of ${count} stories failed`);
    });
}

const EXAMPLES = `
Examples:
  lockerflow test flows/
  lockerflow test flows/device-loan.stories.yaml --json`;

const STORIES = /\.stories\.(?:ya?ml|json)$/;

async function storyFiles(place: string): Promise<string[]> {
  const found = await stat(place).catch((cause: Error) => {
    throw wrongUse(`${place} cannot be read (${cause.message}); expected a folder or a file of stories`);
  });
  if (!found.isDirectory()) return [place];
  const names = await readdir(place, { recursive: true });
  return names
    .filter((name) => STORIES.test(name) && !name.split('/').includes('node_modules'))
    .sort()
    .map((name) => join(place, name));
}

async function resultsOf(path: string): Promise<StoryResult[]> {
  const { data, findings } = parsedText(await readFile(path, 'utf8'));
  const problems = findings.length > 0 ? findings.map(wordsOfFinding) : storyFileProblems(data);
  if (problems.length > 0)
    throw new CommandFailed(
      'failed',
      `${path} is not a valid file of stories:\n${problems.map((each) => `  ${each}`).join('\n')}`,
    );
  const { flow, stories } = data as unknown as StoryFile;
  const file = await soundFile(join(dirname(path), flow));
  return stories.map((story) => {
    const issues = inputIssues(file.input, story.given?.input ?? {});
    if (issues.length === 0) return play(file, story);
    return { story: story.story, problems: issues.map(({ field, message }) => `start: ${field} ${message}`) };
  });
}

function words(path: string, results: readonly StoryResult[]): string {
  const lines = results.flatMap(({ story, problems }) => [
    `  ${problems.length === 0 ? 'ok   ' : 'WRONG'} ${story}`,
    ...problems.map((problem) => `          ${problem}`),
  ]);
  return `${[path, ...lines].join('\n')}\n`;
}
