// `test`: plays the stories beside flow files in virtual time, and says which ones fail.
import type { Command } from 'commander';
import { escapeControlCharacters } from '../../../shared/terminal/escape-control-characters.ts';
import { CommandFailed, wrongUse } from '../../../shared/terminal/exit-codes.ts';
import { wantsJson } from '../../../shared/terminal/report.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { resultsOf, type StoryResults, storyFilesIn } from '../../stories.ts';

export function addTest(program: Command, terminal: Terminal): void {
  program
    .command('test')
    .description(
      'run the stories beside flow files, in virtual time; each story gives events and the expected state',
    )
    .argument('[DIR]', 'a folder with *.stories.yaml, or one such file', '.')
    .addHelpText('after', EXAMPLES)
    .action(async (place: string, _: unknown, command: Command) => {
      const paths = await storyFilesIn(place);
      if (paths.length === 0) throw wrongUse(`${place} has no stories; expected files named *.stories.yaml`);
      const begun = performance.now();
      const all: StoryResults[] = [];
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

const asJson = (file: string, { stories, problems }: StoryResults) =>
  problems.length > 0 ? { file, problems } : { file, stories };

interface Counted {
  readonly stories: number;
  readonly wrong: number;
  readonly invalid: number;
}

function countedOf(all: readonly StoryResults[]): Counted {
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

function formatResults(path: string, { stories, problems: invalid }: StoryResults): string {
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
