// `npm run check`: format, lint, generated files and types. The compiler runs beside the others: each keeps one core busy for half
// of the time.
import { runProgram } from './run-program.ts';

const lanes: readonly (readonly string[])[] = [
  [
    'biome check --error-on-warnings',
    'node scripts/lint/imports.ts',
    'node scripts/lint/texts.ts',
    'node docs/write.ts --check',
  ],
  // One checker: more of them do the same work twice.
  ['tsc --checkers 1', 'tsc -p service/simulated-wall/kiosk', 'tsc -p console/page --checkers 1'],
];

const ends = await Promise.all(lanes.map(firstFailureOf));
process.exitCode = ends.find((code) => code !== 0) ?? 0;

async function firstFailureOf(commands: readonly string[]): Promise<number> {
  for (const command of commands) {
    const code = await runProgram(command.split(' '));
    if (code !== 0) return code;
  }
  return 0;
}
