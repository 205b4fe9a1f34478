// biome-ignore-all lint/suspicious/noThenProperty: a key of stories.
// Stories: they say as data what a flow file does. Given a start, when something happens, then the process is so.

import { instantMs } from '../language/duration.ts';
import { expressionFailureIn } from '../language/expressions/failure.ts';
import { type FlowFile, isMap, type Json, type JsonObject } from '../language/flow-file.ts';
import type { OpenQuestion } from '../language/machine/asked-question.ts';
import type { FlowFilePlan } from '../language/machine/migration.ts';
import { DEFAULT_PRIORITY, type TaskAction } from '../language/machine/tasks.ts';
import { startOf } from '../language/reading/event-start.ts';
import type { At } from '../language/reading/report.ts';
import { schemaIssues } from '../language/schema.ts';
import { NotCarried, NotPlayable, PlayRefused, playingProblem } from './not-playable.ts';
import { Player } from './player.ts';

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
  /** The step that differs, within the story. */
  readonly at?: At;
}

/** What is wrong with the form of a story file, and where. */
interface StoryProblem {
  readonly at: At;
  readonly message: string;
}

/** One kind of what can happen in a step. */
interface StoryEvent {
  /** The keys that may stand beside it. */
  readonly beside: readonly string[];
  /** @param what its value as text, such as the id or the event */
  does(player: Player, what: string, when: JsonObject, versions: Versions): void;
}

const textOr = (value: Json | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

const taskChange = (action: TaskAction, beside: readonly string[]): StoryEvent => ({
  beside,
  does: (player, id, { by = 'somebody', to, of }) =>
    player.change(action, id, {
      by: String(by),
      ...(to !== undefined && { to: String(to) }),
      ...(of !== undefined && { of: String(of) }),
    }),
});

/** What can happen in a step. A step has one of these. */
const storyEvents: Readonly<Record<string, StoryEvent>> = {
  event: {
    beside: ['data', 'keepFor'],
    does: (player, type, { data, keepFor }) => player.send(type, data, textOr(keepFor)),
  },
  done: { beside: ['output'], does: (player, id, { output }) => player.done(id, output) },
  fails: {
    beside: ['error'],
    does: (player, id, { error }) => {
      const { code = 'Failed', message, ...beside } = isMap(error) ? error : { code: error };
      player.fail(id, String(code), textOr(message), beside);
    },
  },
  answer: {
    beside: ['with', 'by'],
    does: (player, id, { with: values = {}, by }) => player.answer(id, values as JsonObject, textOr(by)),
  },
  claim: taskChange('claim', ['by']),
  release: taskChange('release', ['by']),
  assign: taskChange('assign', ['to', 'of', 'by']),
  extend: {
    beside: ['until', 'fromNow', 'extendBy', 'shortenBy'],
    does: (player, timer, { extend: _, ...end }) => player.extend(timer, end),
  },
  passes: { beside: [], does: (player, time) => player.pass(time) },
  cancel: { beside: [], does: (player) => player.cancel() },
  migrates: {
    beside: ['plan'],
    // A file is the version after that on which the process is.
    does: (player, to, { plan = {} }, versions) =>
      player.migrate(
        { file: versionOf(versions, to), version: player.progress.version + 1 },
        plan as FlowFilePlan,
      ),
  },
};
export const whenKeys = Object.entries(storyEvents).flatMap(([key, { beside }]) => [key, ...beside]);

const text: JsonObject = { type: 'string' };
const mapOf = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const anyOf = (keys: readonly string[]): JsonObject => Object.fromEntries(keys.map((key) => [key, {}]));

const given: JsonObject = {
  input: {},
  event: text,
  data: {},
  id: text,
  start: { type: 'object' },
  at: { ...text, format: 'date-time' },
  key: {},
  version: text,
};
const when: JsonObject = {
  ...anyOf(whenKeys),
  ...Object.fromEntries([...Object.keys(storyEvents), 'by', 'to', 'of'].map((key) => [key, text])),
  error: {
    anyOf: [
      mapOf(anyOf(['code', 'message', 'status', 'detail'])),
      { type: ['string', 'number', 'boolean', 'null', 'array'] },
    ],
  },
  cancel: { const: true },
  plan: { type: 'object' },
};
const then = anyOf([
  ...['state', 'context', 'emitted', 'sent', 'keys', 'open', 'undoable', 'inputs', 'output', 'error'],
  ...['status', 'events', 'questions', 'failure', 'refused', 'key', 'request'],
]);
const step = mapOf({ when: mapOf(when), then: mapOf(then) });
const story = mapOf(
  { story: text, given: mapOf(given), then: mapOf(then), steps: { type: 'array', items: step } },
  ['story'],
);
const storyFile = mapOf({ flow: text, stories: { type: 'array', minItems: 1, items: story } }, [
  'flow',
  'stories',
]);

export const givenKeys = Object.keys(given);
export const thenKeys = Object.keys(then);

/** Everything that is wrong with the form of a story file. */
export function storyFileProblems(data: Json): StoryProblem[] {
  const wrong = [...schemaIssues(data, storyFile, [])].map(({ at, message, known }) => {
    const expected = known ? `; expected ${known.join(', ')}` : '';
    return { at, message: `${at.at(-1) ?? 'the file'} ${message}${expected}` };
  });
  if (wrong.length > 0) return wrong;
  return (data as unknown as StoryFile).stories.flatMap(({ given: begins = {}, steps = [] }, index) => [
    ...givenProblems(begins, ['stories', index, 'given']),
    ...steps.flatMap(({ when: happens }, number) =>
      happens ? whenProblems(happens, ['stories', index, 'steps', number, 'when']) : [],
    ),
  ]);
}

/** An event gives the key and the request. */
function givenProblems(begins: JsonObject, at: At): StoryProblem[] {
  const isByEvent = begins.event !== undefined;
  return (isByEvent ? ['input', 'key', 'start'] : ['data', 'id'])
    .filter((key) => Object.hasOwn(begins, key))
    .map((key) => ({
      at: [...at, key],
      message: isByEvent ? `${key} follows from the event; remove it` : `${key} needs an event beside it`,
    }));
}

/** A step in which nothing or several things happen would pass for the wrong reason. */
function whenProblems(happens: JsonObject, at: At): StoryProblem[] {
  const all = Object.keys(storyEvents);
  const [one, ...others] = all.filter((key) => Object.hasOwn(happens, key));
  if (one === undefined) return [{ at, message: `nothing happens; expected one of ${all.join(', ')}` }];
  if (others.length > 0) {
    const several = [one, ...others].join(' and ');
    return [{ at, message: `${several} are several steps; give each a step of its own` }];
  }
  return Object.keys(happens)
    .filter((key) => key !== one && !storyEvents[one]?.beside.includes(key))
    .map((key) => ({ at: [...at, key], message: `${key} says nothing of ${one}; remove it` }));
}

/** The versions that a story names, by their paths. */
export type Versions = ReadonlyMap<string, FlowFile>;

/** The paths of the versions that a story needs beside its own file. */
export const versionsIn = ({ given = {}, steps = [] }: Story): string[] =>
  [given.version, ...steps.map(({ when = {} }) => when.migrates)].filter((each) => typeof each === 'string');

/**
 * Stops at the first step that differs from the story: the steps after it would show nothing useful.
 * @param files by which it is known what the flow files send that it invokes
 */
export function play(
  file: FlowFile,
  { story, given = {}, then = {}, steps = [] }: Story,
  versions: Versions = new Map(),
  files: readonly FlowFile[] = [],
): StoryResult {
  const start = given.event === undefined ? 'start' : `start (event ${String(given.event)})`;
  let player: Player;
  try {
    player = playerFor(file, given, versions, files);
  } catch (error) {
    const code = expressionFailureIn(error)?.code;
    // What cannot be played at all is never what a story expects.
    const isRefused = error instanceof PlayRefused && isRefusedAs(error, then.refused);
    const isExpected = code === undefined ? isRefused : then.failure === code;
    return { story, problems: isExpected ? [] : [`${start}: ${playingProblem(error)}`] };
  }
  const begun = compared(player, then, undefined);
  if (begun.length > 0) return { story, problems: begun.map((each) => `${start}: ${each}`) };
  for (const [index, { when = {}, then: expected = {} }] of steps.entries()) {
    const problems = compared(player, expected, attempt(player, when, versions));
    if (problems.length > 0)
      return {
        story,
        problems: problems.map((each) => `step ${index + 1} (${formatWhen(when)}): ${each}`),
        at: ['steps', index],
      };
  }
  return { story, problems: [] };
}

function playerFor(
  file: FlowFile,
  given: JsonObject,
  versions: Versions,
  files: readonly FlowFile[],
): Player {
  const { start, at, version } = given;
  const begunOn = version === undefined ? file : versionOf(versions, version);
  const { input, key } = given.event === undefined ? given : startedBy(begunOn, given);
  return new Player(begunOn, {
    files,
    ...(input !== undefined && { input }),
    ...(isMap(start) && { beside: start }),
    ...(typeof at === 'string' && { at }),
    ...(typeof key === 'string' && { key }),
  });
}

/** The key and the request, as whoever sends the event gets the process. */
function startedBy(file: FlowFile, { event, data = null, id = 'event' }: JsonObject): JsonObject {
  const start = startOf(file, { type: String(event), id: String(id), data });
  if (start === undefined) {
    const known = Object.keys(file.starts ?? {}).join(', ') || 'no event';
    throw new NotPlayable(`${file.name} does not start by it; expected ${known}`);
  }
  if ('key' in start) return { key: start.key, input: start.request };
  throw new PlayRefused({ code: 'InvalidRequest', message: start.join('; ') });
}

function versionOf(versions: Versions, named: Json): FlowFile {
  const file = versions.get(String(named));
  if (!file) throw new TypeError(`the version ${String(named)} was not read`);
  return file;
}

/** Takes a step. Gives the error if the step could not be taken. */
function attempt(player: Player, when: JsonObject, versions: Versions): unknown {
  try {
    for (const [key, { does }] of Object.entries(storyEvents))
      if (when[key] !== undefined) does(player, String(when[key]), when, versions);
    return undefined;
  } catch (error) {
    return error;
  }
}

function compared(player: Player, then: JsonObject, error: unknown): string[] {
  const { failure, refused, ...rest } = then;
  if (error !== undefined) {
    const problem = playingProblem(error);
    const code = expressionFailureIn(error)?.code;
    const isExpected = code === undefined ? isRefusedAs(error, refused) : failure === code;
    if (!isExpected) return [problem];
  } else if (failure !== undefined || (refused !== undefined && refused !== false))
    return [
      `expected ${failure === undefined ? 'that it is refused' : `the failure ${String(failure)}`}, but the step was taken`,
    ];
  const { emitted, sent } = player.takeSent();
  const actual: JsonObject = {
    state: player.states.length === 1 ? (player.states[0] as string) : player.states.toSorted(),
    context: player.context,
    emitted: emitted as unknown as Json,
    sent: sent as unknown as Json,
    keys: player.keys,
    key: player.key,
    request: player.request,
    open: player.open.map(({ id }) => id).sort(),
    undoable: player.progress.undoable ?? [],
    inputs: Object.fromEntries(player.open.map(({ id, input }) => [id, input])),
    output: player.output,
    error: player.error,
    status: player.status,
    events: player.events.toSorted(),
    questions: Object.fromEntries(player.progress.questions.map((each) => [each.id, questionView(each)])),
  };
  return differences({ ...rest, ...sorted(rest) }, actual);
}

/** As the inbox shows it, with what is so unless the file says otherwise. */
const questionView = ({ id: _, ...question }: OpenQuestion): Json =>
  ({ priority: DEFAULT_PRIORITY, due: null, holder: null, ...question }) as unknown as JsonObject;

/** A migration may be refused with the code of one thing that is in the way, a person with that of the update. */
const isRefusedAs = (error: unknown, refused: Json | undefined): boolean =>
  refused === true ||
  (error instanceof PlayRefused && error.code === refused) ||
  (error instanceof NotCarried && error.obstacles.some(({ code }) => code === refused));

/** What is active together has no order. */
const sorted = ({ state, open, events }: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries({ state, open, events }).flatMap(([key, value]) =>
      Array.isArray(value) ? [[key, (value as Json[]).toSorted()]] : [],
    ),
  );

function formatWhen(when: JsonObject): string {
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
  if (JSON.stringify(expected) === JSON.stringify(actual) || isSameMoment(expected, actual)) return [];
  return [`${at}: expected ${formatValue(expected)}, but it is ${formatValue(actual)}`];
}

/** Written in two ways, such as with and without milliseconds. */
function isSameMoment(one: Json, other: Json | undefined): boolean {
  const at = instantMs(one);
  return at !== null && at === instantMs(other);
}

const formatValue = (value: Json | undefined): string =>
  value === undefined ? 'not there' : JSON.stringify(value);
