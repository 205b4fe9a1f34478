// biome-ignore-all lint/suspicious/noThenProperty: a key of stories.
// Plays a story, and says where the process differs from it.
import { expressionFailureIn } from '../language/expressions/failure.ts';
import { type FlowFile, isMap, type Json, type JsonObject } from '../language/flow-file.ts';
import type { OpenQuestion } from '../language/machine/asked-question.ts';
import { DEFAULT_PRIORITY } from '../language/machine/tasks.ts';
import { startOf } from '../language/reading/event-start.ts';
import type { At } from '../language/reading/report.ts';
import { differences } from './differences.ts';
import { NotCarried, NotPlayable, PlayRefused, playingProblem } from './not-playable.ts';
import type { SchemasOf } from './played-calls.ts';
import { Player } from './player.ts';
import { storyEvents, type Versions, versionOf } from './story-events.ts';
import type { Story } from './story-file.ts';

export interface StoryResult {
  readonly story: string;
  /** One line for each difference from the story; empty if there is none. */
  readonly problems: readonly string[];
  /** The step that differs, within the story. */
  readonly at?: At;
}

/** What a story is played among. */
interface Around {
  readonly versions?: Versions;
  /** The flow files that it may invoke: they say what they send. */
  readonly files?: readonly FlowFile[];
  readonly schemasOf?: SchemasOf;
}

/** Stops at the first step that differs from the story: the steps after it would show nothing useful. */
export function play(
  file: FlowFile,
  { story, given = {}, then = {}, steps = [] }: Story,
  around: Around = {},
): StoryResult {
  const { versions = new Map() } = around;
  const start = given.event === undefined ? 'start' : `start (event ${String(given.event)})`;
  let player: Player;
  try {
    player = playerFor(file, given, versions, around);
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
  { files, schemasOf }: Around,
): Player {
  const { start, at, version } = given;
  const begunOn = version === undefined ? file : versionOf(versions, version);
  const { input, key } = given.event === undefined ? given : startedBy(begunOn, given);
  return new Player(begunOn, {
    ...(files && { files }),
    ...(schemasOf && { schemasOf }),
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
