// The plan of a migration as people write it: read from YAML and checked field by field, or written with its gaps.
import { z } from 'zod';
import type { MigrationGroup, PlanData } from '../contract/flows/migrations.ts';
import { plainMessages } from '../contract/wire/format-issue.ts';
import { formatFinding } from '../flows/language/reading/report.ts';
import { parsedText } from '../flows/language/reading/yaml.ts';
import { wrongFieldsOf } from './commands/read-values.ts';
import { CommandError } from './outcome.ts';

/** A plan names parts of one flow file. It is read on the thread that answers. */
const MAX_BYTES = 32 * 1024;

/** Characters of a path; a reason quotes it. */
const name = z.string().max(2_000);
const names = z.record(name, name).optional();
const list = z.array(name).optional();
const expressions = z.record(z.string(), z.unknown()).optional();

/** A misspelt part would be a plan that says nothing. */
const planData = z
  .strictObject({
    states: names,
    invokes: names,
    events: names,
    timers: names,
    context: expressions,
    input: expressions,
    leave: list,
    restart: list,
    sent: list,
    overdue: z
      .union([z.enum(['now', 'keep']), z.strictObject({ grace: z.int().min(0) })], {
        error: 'must be now, keep, or { grace: milliseconds }',
      })
      .optional(),
  })
  .meta({ description: 'What the new version does not say itself, as in docs/changing-flows.md' });

/** What the text of a plan has to be. */
export const PLAN_FORM = `a map with any of ${Object.keys(planData.shape).join(', ')}`;

/** Throws CommandError. */
export function planIn(text: string): PlanData {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_BYTES) throw wrongPlan(`it is ${bytes} bytes long, expected at most ${MAX_BYTES}`);
  const { data, findings } = parsedText(text);
  if (findings.length > 0) throw wrongPlan(findings.map(formatFinding).join('; '));
  // Nothing but comments.
  if (data === null) return {};
  if (typeof data !== 'object' || Array.isArray(data)) throw wrongPlan('it is not a map');
  if (JSON.stringify(data).includes('TODO')) throw wrongPlan('it still has gaps: replace each TODO');
  const filled = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
  const { error } = planData.safeParse(filled, plainMessages);
  if (!error) return filled;
  const fields = Object.entries(wrongFieldsOf(error));
  throw wrongPlan(fields.map(([field, problem]) => `${field} ${problem}`.trim()).join('; '));
}

function wrongPlan(problem: string) {
  const words = `the plan cannot be used: ${problem}; expected ${PLAN_FORM}`;
  return new CommandError('wrongInput', 'WrongPlan', words, { fields: { plan: words } });
}

/** Which part of a plan says it; for the others there is more than one way, and the comment names them. */
const partOf: Partial<Record<string, 'states' | 'invokes' | 'timers' | 'context' | 'input'>> = {
  StateRemoved: 'states',
  FinalChanged: 'states',
  InvokeRemoved: 'invokes',
  InvokeChanged: 'invokes',
  TimerUnclear: 'timers',
  ContextUnknown: 'context',
  InputUnknown: 'input',
};

/** In YAML: what is missing as comments, and a gap for each part that has only one place in it. Null: nothing is missing. */
export function planWithGaps(groups: readonly MigrationGroup[]): string | null {
  const missing = groups.filter(({ outcome }) => outcome === 'needsPlan');
  if (missing.length === 0) return null;
  const comments = missing.map(({ count, reason, remedy }) => `# ${count}: ${reason}.\n#   ${remedy}`);
  const gaps = new Map<string, Set<string>>();
  for (const { code, at } of missing) {
    const part = partOf[code];
    if (part === undefined) continue;
    // What is missing of the context or the input is named with it: `context.shelf`.
    const name = part === 'context' || part === 'input' ? at.slice(part.length + 1) : at;
    gaps.set(part, (gaps.get(part) ?? new Set()).add(name));
  }
  const parts = [...gaps].flatMap(([part, gapsOfPart]) => [
    `${part}:`,
    ...[...gapsOfPart].map((name) => `  ${JSON.stringify(name)}: TODO`),
  ]);
  const overdue = missing.some(({ code }) => code === 'TimerOverdue') ? ['overdue: TODO'] : [];
  return `${[...comments, ...parts, ...overdue].join('\n')}\n`;
}
