// What can happen in a step of a story: its form, and what it does.
import { type FlowFile, isMap, type Json, type JsonObject } from '../language/flow-file.ts';
import type { FlowFilePlan } from '../language/machine/migration.ts';
import type { TaskAction } from '../language/machine/tasks.ts';
import type { DoubtDecision } from './played-bookings.ts';
import type { Player } from './player.ts';

/** The versions that a story names, by their paths. */
export type Versions = ReadonlyMap<string, FlowFile>;

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

const decision = (action: DoubtDecision): StoryEvent => ({
  beside: ['by'],
  does: (player, booking, { by }) => player.resolve(booking, action, textOr(by)),
});

/** A step has one of these. */
export const storyEvents: Readonly<Record<string, StoryEvent>> = {
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
  retry: decision('retry'),
  adopt: decision('adopt'),
  giveUp: decision('giveUp'),
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

export function versionOf(versions: Versions, named: Json): FlowFile {
  const file = versions.get(String(named));
  if (!file) throw new TypeError(`the version ${String(named)} was not read`);
  return file;
}
