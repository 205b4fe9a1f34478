// biome-ignore-all lint/suspicious/noThenProperty: a key of stories.
// The form of a file of stories: they say as data what a flow file does. Given a start, when something happens, then the process is so.
import { planProblem } from '../../engine/migration-plan.ts';
import { isMap, type Json, type JsonObject } from '../language/flow-file.ts';
import type { At } from '../language/reading/report.ts';
import { schemaIssues } from '../language/schema.ts';
import { storyEvents } from './story-events.ts';

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

/** What is wrong with the form of a story file, and where. */
interface StoryProblem {
  readonly at: At;
  readonly message: string;
}

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
  if (isMap(data) && data.states !== undefined && data.stories === undefined)
    return [{ at: [], message: 'it is a flow file, expected a file of stories, with flow and stories' }];
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
  const beside = Object.keys(happens)
    .filter((key) => key !== one && !storyEvents[one]?.beside.includes(key))
    .map((key) => ({ at: [...at, key], message: `${key} says nothing of ${one}; remove it` }));
  const plan = planProblem(happens.plan);
  return plan === undefined
    ? beside
    : [...beside, { at: [...at, 'plan'], message: `plan is wrong: ${plan}` }];
}

/** The paths of the versions that a story needs beside its own file. */
export const versionsIn = ({ given = {}, steps = [] }: Story): string[] =>
  [given.version, ...steps.map(({ when = {} }) => when.migrates)].filter((each) => typeof each === 'string');
