// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// What a request of a third system becomes: the event of a hook, by the expressions of its declaration. Whether the sender is who
// it says is settled before.
import { correlatedEvent, EVENT_TYPE, KEY_NAME, LONGEST_VALUE, MAX_KEYS } from './correlation.ts';
import { durationMs } from './duration.ts';
import { Budget } from './expressions/cost.ts';
import { expressionProblem } from './expressions/expression.ts';
import { ExpressionFailure } from './expressions/failure.ts';
import { requestEnvironment } from './expressions/language.ts';
import { partsOf, soleExpression, type Template, template } from './expressions/template.ts';
import type { Json, JsonObject } from './flow-file.ts';

/** As its file has it; the texts may have expressions over `body` and `headers`. */
export interface HookDeclaration {
  readonly type: string;
  /** Only requests for which this holds become events. */
  readonly when?: Json;
  readonly where: JsonObject;
  /** What the sender calls the event: the same again is the same event. */
  readonly id: Json;
  /** The whole body unless given. */
  readonly data?: Json;
  readonly keepFor?: string;
  /** How long the sender may send the same event again; a day unless given. */
  readonly repeatsFor?: string;
}

export interface HookRequest {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

export interface HookEvent {
  readonly type: string;
  readonly id: string;
  readonly where: Readonly<Record<string, string>>;
  readonly data: Json;
  readonly keepForMs: number;
  readonly knownForMs: number;
}

/** A request that becomes no event: the declaration does not fit it. */
export class HookEventWrong extends Error {
  override readonly name = 'HookEventWrong';
}

const DEFAULT_REPEATS_FOR = 'P1D';
const LONGEST_REPEATS_MS = 30 * 86_400_000;

interface Issue {
  readonly field: string;
  readonly message: string;
}

/** Everything that is wrong with a declaration, before any request. */
export function hookIssues({ type, when, where, id, data, keepFor, repeatsFor }: HookDeclaration): Issue[] {
  const keys = Object.keys(where);
  return [
    ...(hasExpression(type) || EVENT_TYPE.test(type)
      ? []
      : [{ field: 'type', message: 'must be words with dots between them, such as repair.finished' }]),
    ...(when === undefined || (typeof when === 'string' && soleOf(when) !== undefined)
      ? []
      : [{ field: 'when', message: `must be one expression, such as "\${body.status == 'finished'}"` }]),
    ...(keys.length >= 1 && keys.length <= MAX_KEYS
      ? []
      : [{ field: 'where', message: `must have 1 to ${MAX_KEYS} keys, as correlate of the flow files has` }]),
    ...keys.flatMap((key) =>
      KEY_NAME.test(key)
        ? []
        : [{ field: `where.${key}`, message: 'must be a name of letters, digits, - and _' }],
    ),
    ...idIssues(id),
    ...durationIssues('keepFor', keepFor),
    ...durationIssues('repeatsFor', repeatsFor),
    ...Object.entries({ type, when, where, id, data }).flatMap(([field, value]) =>
      value === undefined ? [] : expressionIssues(value as Json, field),
    ),
  ];
}

function idIssues(id: Json | undefined): Issue[] {
  if (id === undefined)
    return [{ field: 'id', message: 'is required: what the sender calls the event, so that it counts once' }];
  if (hasExpression(id)) return [];
  return [{ field: 'id', message: 'must have an expression, or every event would be the same one' }];
}

const hasExpression = (value: Json): boolean => typeof value === 'string' && value.includes('${');

function soleOf(text: string): string | undefined {
  try {
    return soleExpression(text);
  } catch {
    return ''; // One that is not closed; the check of its expressions says so.
  }
}

function durationIssues(field: string, given: string | undefined): Issue[] {
  const length = given === undefined ? 0 : durationMs(given);
  return length !== null && length <= LONGEST_REPEATS_MS
    ? []
    : [{ field, message: 'must be a duration such as P1D, of at most P30D' }];
}

function expressionIssues(value: Json, field: string): Issue[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, each]) => expressionIssues(each as Json, `${field}.${key}`));
  if (typeof value !== 'string') return [];
  try {
    return partsOf(value).flatMap((part) => {
      const problem = 'source' in part ? expressionProblem(part.source, requestEnvironment()) : undefined;
      return problem === undefined ? [] : [{ field, message: `is not a valid expression: ${problem}` }];
    });
  } catch (error) {
    return [{ field, message: (error as Error).message }];
  }
}

/**
 * What makes events of the requests of one hook: null for one that its `when` leaves out. Throws ExpressionFailure or
 * HookEventWrong, which say what is wrong with a request and quote nothing of it.
 */
export function hookEvents(
  name: string,
  { keepFor, repeatsFor = DEFAULT_REPEATS_FOR, ...declared }: HookDeclaration,
): (request: HookRequest, budget?: Budget) => HookEvent | null {
  const environment = requestEnvironment();
  const { data = '${body}' } = declared;
  const parts = Object.fromEntries(
    Object.entries({ ...declared, data }).map(([field, value]) => [
      field,
      template(value as Json, field, { environment }),
    ]),
  ) as Readonly<Partial<Record<keyof HookDeclaration, Template>>>;
  return (request, budget = new Budget()) => {
    const of = (field: keyof HookDeclaration): Json => parts[field]?.({ ...request }, budget) ?? null;
    if (parts.when && !isWanted(of('when'))) return null;
    const where = of('where') as JsonObject;
    const wrong = [...Object.entries(where).flatMap(([key, value]) => keyIssues(`where.${key}`, value))];
    const id = of('id');
    wrong.push(...keyIssues('id', id));
    const event = correlatedEvent({
      type: String(of('type')),
      where,
      data: of('data'),
      ...(keepFor !== undefined && { keepFor }),
    });
    if (Array.isArray(event))
      wrong.push(...event.filter(({ field }) => !wrong.some((each) => each.field === field)));
    if (Array.isArray(event) || wrong.length > 0)
      throw new HookEventWrong(wrong.map(({ field, message }) => `${field}: ${message}`).join('; '));
    const knownForMs = Math.max(event.keepForMs, durationMs(repeatsFor) ?? 0);
    // No name of a hook has a dot: the ids of two hooks are never the same.
    return { ...event, id: `${name}.${String(id)}`, knownForMs };
  };
}

function isWanted(value: Json): boolean {
  if (typeof value === 'boolean') return value;
  throw new ExpressionFailure({
    code: 'ExpressionFailed',
    path: 'when',
    reason: 'it gives neither true nor false',
  });
}

/** Null would leave out the key, and the event would reach processes that it is not for. */
function keyIssues(field: string, value: Json): Issue[] {
  const message = keyProblem(value);
  return message === undefined ? [] : [{ field, message }];
}

function keyProblem(value: Json): string | undefined {
  if (value === null || typeof value === 'object') return 'expected a text, a number, true or false';
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return 'is a whole number with more digits than programs keep; expected a text';
  const { length } = String(value);
  return length > 0 && length <= LONGEST_VALUE ? undefined : `expected 1 to ${LONGEST_VALUE} characters`;
}
