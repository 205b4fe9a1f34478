// Stories: they say as data what a flow file does. Given a start, when something happens, then the process is so.
import { expressionFailureIn } from '../expressions/failure.ts';
import type { FlowFile, Json, JsonObject } from '../flow-file.ts';
import { isMap } from '../reading/report.ts';
import { Player, playingProblem } from './player.ts';

export interface Step {
  readonly when?: JsonObject;
  readonly then?: JsonObject;
}

export interface Story {
  readonly story: string;
  readonly given?: JsonObject;
  /** What is so after the start. */
  readonly then?: JsonObject;
  readonly steps?: readonly Step[];
}

export interface StoryFile {
  /** The path of the flow file, relative to the story file. */
  readonly flow: string;
  readonly stories: readonly Story[];
}

export interface StoryResult {
  readonly story: string;
  /** One line for each difference from the story; empty if there is none. */
  readonly problems: readonly string[];
}

export const givenKeys = ['input', 'at', 'key'];
export const whenKeys = [
  'event',
  'data',
  'done',
  'output',
  'fails',
  'error',
  'answer',
  'with',
  'by',
  'passes',
  'cancel',
];
export const thenKeys = [
  'state',
  'context',
  'emitted',
  'open',
  'inputs',
  'output',
  'status',
  'events',
  'failure',
  'refused',
];

/** Everything that is wrong with the form of a story file. */
export function storyFileProblems(data: Json): string[] {
  if (!isMap(data)) return ['expected a map of flow, stories'];
  const { flow, stories, ...rest } = data;
  return [
    ...Object.keys(rest).map((key) => `${key} is not known; expected flow, stories`),
    ...(typeof flow === 'string' ? [] : ['flow is missing; expected the path of a flow file']),
    ...(Array.isArray(stories) && stories.length > 0
      ? (stories as Json[]).flatMap((each, index) => storyProblems(each, `stories.${index}`))
      : ['stories is missing; expected a list']),
  ];
}

function storyProblems(data: Json, at: string): string[] {
  if (!isMap(data)) return [`${at}: expected a map of story, given, then, steps`];
  const { story, given = {}, then = {}, steps = [], ...rest } = data;
  return [
    ...Object.keys(rest).map((key) => `${at}.${key} is not known; expected story, given, then, steps`),
    ...(typeof story === 'string' ? [] : [`${at}.story is missing; expected what it tells, as one sentence`]),
    ...unknownKeys(given, givenKeys, `${at}.given`),
    ...unknownKeys(then, thenKeys, `${at}.then`),
    ...(Array.isArray(steps)
      ? (steps as Json[]).flatMap((step, index) => stepProblems(step, `${at}.steps.${index}`))
      : [`${at}.steps: expected a list`]),
  ];
}

function stepProblems(data: Json, at: string): string[] {
  if (!isMap(data)) return [`${at}: expected a map of when, then`];
  const { when = {}, then = {}, ...rest } = data;
  return [
    ...Object.keys(rest).map((key) => `${at}.${key} is not known; expected when, then`),
    ...unknownKeys(when, whenKeys, `${at}.when`),
    ...unknownKeys(then, thenKeys, `${at}.then`),
  ];
}

function unknownKeys(data: Json, known: readonly string[], at: string): string[] {
  if (!isMap(data)) return [`${at}: expected a map of ${known.join(', ')}`];
  return Object.keys(data)
    .filter((key) => !known.includes(key))
    .map((key) => `${at}.${key} is not known; expected ${known.join(', ')}`);
}

/** Stops at the first step that differs from the story: the steps after it would show nothing useful. */
export function play(file: FlowFile, { story, given = {}, then = {}, steps = [] }: Story): StoryResult {
  let player: Player;
  try {
    player = new Player(file, given as { input?: Json; at?: string; key?: string });
  } catch (error) {
    const code = expressionFailureIn(error)?.code;
    if (code !== undefined && then.failure === code) return { story, problems: [] };
    return { story, problems: [`start: ${playingProblem(error)}`] };
  }
  const begun = compared(player, then, undefined);
  if (begun.length > 0) return { story, problems: begun.map((each) => `start: ${each}`) };
  for (const [index, { when = {}, then: expected = {} }] of steps.entries()) {
    const problems = compared(player, expected, attempt(player, when));
    if (problems.length > 0)
      return { story, problems: problems.map((each) => `step ${index + 1} (${wordsOfWhen(when)}): ${each}`) };
  }
  return { story, problems: [] };
}

/** Takes a step. Gives the error if the step could not be taken. */
function attempt(player: Player, when: JsonObject): unknown {
  try {
    act(player, when);
    return undefined;
  } catch (error) {
    return error;
  }
}

function act(player: Player, when: JsonObject): void {
  const { event, data, done, output, fails, error, answer, with: values = {}, by, passes, cancel } = when;
  if (typeof event === 'string') player.send(event, data);
  if (typeof done === 'string') player.done(done, output);
  if (typeof fails === 'string') {
    const { code = 'Failed', message } = isMap(error) ? error : { code: error };
    player.fail(fails, String(code), message === undefined ? undefined : String(message));
  }
  if (typeof answer === 'string')
    player.answer(answer, values as JsonObject, by === undefined ? undefined : String(by));
  if (typeof passes === 'string') player.pass(passes);
  if (cancel === true) player.cancel();
}

function compared(player: Player, then: JsonObject, error: unknown): string[] {
  const { failure, refused, ...rest } = then;
  if (error !== undefined) {
    const problem = playingProblem(error);
    const code = expressionFailureIn(error)?.code;
    const isExpected = code === undefined ? refused === true : failure === code;
    if (!isExpected) return [problem];
  } else if (failure !== undefined || refused === true)
    return [
      `expected ${failure === undefined ? 'that it is refused' : `the failure ${String(failure)}`}, but the step was taken`,
    ];
  const emitted = player.takeEmitted();
  const actual: JsonObject = {
    state: player.states.length === 1 ? (player.states[0] as string) : player.states,
    context: player.context,
    emitted: emitted as unknown as Json,
    open: player.open.map(({ id }) => id),
    inputs: Object.fromEntries(player.open.map(({ id, input }) => [id, input])),
    output: player.output,
    status: player.status,
    events: [...player.events],
  };
  return differences(rest, actual);
}

function wordsOfWhen(when: JsonObject): string {
  const [first] = Object.entries(when);
  return first
    ? `${first[0]} ${typeof first[1] === 'string' ? first[1] : JSON.stringify(first[1])}`
    : 'nothing';
}

/**
 * One line for each difference of the actual values from the expected ones. An actual map may have more fields than the
 * expected one, an actual list may not have more items.
 */
function differences(expected: JsonObject, actual: JsonObject, at = ''): string[] {
  return Object.entries(expected).flatMap(([key, value]) =>
    differing(value, actual[key], at === '' ? key : `${at}.${key}`),
  );
}

function differing(expected: Json, actual: Json | undefined, at: string): string[] {
  if (isMap(expected) && isMap(actual)) return differences(expected, actual, at);
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return (expected as Json[]).flatMap((each, index) => differing(each, actual[index], `${at}.${index}`));
  if (JSON.stringify(expected) === JSON.stringify(actual)) return [];
  return [`${at}: expected ${words(expected)}, but it is ${words(actual)}`];
}

const words = (value: Json | undefined): string =>
  value === undefined ? 'not there' : JSON.stringify(value);
