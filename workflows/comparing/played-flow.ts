// Plays what happened to a process of a built-in flow through a version of its definition, in virtual time: what that version
// would have decided. It runs outside Temporal, and no workflow uses it.
import type { EventObject } from 'xstate';
import type { BookInput } from '../../activities/flow-activities.ts';
import { typeOf } from '../../engine/actor-kinds.ts';
import { nodesOf } from '../../engine/chart/messages.ts';
import { complete } from '../../engine/defaults.ts';
import type { Complete, Definition, Versions } from '../../engine/definition.ts';
import { Process } from '../../engine/process.ts';
import type { Workflow } from '../../engine/temporal/workflow.ts';
import type { VirtualCall } from '../../engine/virtual-world.ts';
import type { World } from '../../engine/world.ts';
import type { Json } from '../../flows/language/flow-file.ts';
import { type Backtested, compared } from '../../flows/language/simulation/backtest.ts';
import type { FormerNames } from '../../flows/language/simulation/former-names.ts';
import {
  type CallOfPlay,
  type Played,
  played,
  type StimulusResult,
} from '../../flows/language/simulation/play-history.ts';
import type { OwnStimulus, RecordedFlow } from '../../flows/language/simulation/recorded-process.ts';
import * as workflows from '../index.ts';
import type { Notification } from '../notifications.ts';

/** Those that this checkout has, by number. Throws a TypeError if there is no such flow. */
export function definitionsOf(flow: string): Versions<Definition> {
  const all = workflows as Readonly<Record<string, unknown>>;
  const { definitions } = (all[flow] ?? {}) as Partial<Workflow<never, unknown>>;
  if (!definitions) throw new TypeError(`${flow} is no built-in flow`);
  return definitions;
}

/** @param to the version that is asked. Undefined: the version that the process ran on is not among them. */
export function backtestFlow(
  recorded: RecordedFlow,
  versions: Versions<Definition>,
  to: number,
): Backtested | undefined {
  const [own, other] = [versions[recorded.version], versions[to]];
  if (!own || !other) return undefined;
  const before = played(recorded, new PlayedFlow(recorded, own(), recorded.version));
  return compared(recorded, before, played(recorded, new PlayedFlow(recorded, other(), to), before));
}

/** One version of a flow, on what happened to one of its processes. */
export class PlayedFlow implements Played {
  /** Calls are named by their activities; everything else has the same name in all versions. */
  readonly names: FormerNames;
  readonly isParentListening = true;
  readonly #recorded: RecordedFlow;
  readonly #definition: Complete;
  readonly #version: number;

  constructor(recorded: RecordedFlow, definition: Definition, version: number) {
    this.#recorded = recorded;
    this.#definition = complete(definition);
    this.#version = version;
    this.names = { states: new Map(), calls: callsOf(this.#definition), events: new Map() };
  }

  process(world: World): Process {
    const { flow, key: workflowId, input, firstRunId: firstExecutionRunId } = this.#recorded;
    const start = { flow, version: this.#version, input, workflowId, firstExecutionRunId };
    return new Process({ definition: this.#definition, start, world });
  }

  /** What a flow cannot compute is a defect, and its process waits for a repaired worker. */
  codeOf(): undefined {
    return undefined;
  }

  callOf({ id, type, input }: VirtualCall): CallOfPlay {
    if (type !== 'book') return { id, src: type, input: input as Json, hears: [] };
    // They only say which deadlines may be given.
    const { deadlines, ...asked } = input as BookInput;
    const refused = deadlinesBeyond(asked.input, deadlines);
    const doubt = `its start has the deadline ${refused}, which the version does not take`;
    return { id, src: type, input: asked as unknown as Json, hears: [], ...(refused && { doubt }) };
  }

  /** Null: it is no decision of its own, as that a leg is in another state now. */
  emitted(event: EventObject): Json | null {
    if ('notification' in event) {
      const { type, data } = (event as Notification).notification;
      return { type, data };
    }
    return event.type.endsWith('.overdue') || event.type === 'needsPerson'
      ? (event as unknown as Json)
      : null;
  }

  /** People and callbacks may come at any time. */
  isWaiting(): boolean {
    return true;
  }

  take(stimulus: OwnStimulus, process: Process): StimulusResult {
    if (stimulus.kind !== 'message') throw new TypeError(`a built-in flow takes no ${stimulus.kind}`);
    const { name, payload, updateId } = stimulus;
    if (updateId === undefined) {
      process.signal(name, payload);
      return {};
    }
    const refusal = process.updateRefusal(name, payload);
    if (refusal) return { refusal: `somebody did ${name}, which is refused now: ${refusal.message}` };
    process.update(name, payload, updateId, { answer: () => undefined, refuse: () => undefined });
    return {};
  }
}

function callsOf({ machine }: Complete): Map<string, string> {
  const invokes = nodesOf(machine.root).flatMap(({ invoke }) => invoke);
  return new Map(
    invokes.map(({ id, src }) => [
      id,
      typeOf(
        ((m: typeof machine, src: unknown) =>
          typeof src === 'string' ? (m.implementations.actors as Record<string, unknown>)[src] : src)(
          machine,
          src,
        ) as never,
      ),
    ]),
  );
}

/** The first deadline of the input that the rules do not know. */
function deadlinesBeyond({ deadlines: given }: BookInput['input'], rules: BookInput['deadlines']): string {
  for (const [role, stages] of Object.entries(given ?? {}))
    for (const stage of Object.keys(stages ?? {}))
      if (!rules.some((rule) => rule.role === role && rule.stage === stage)) return `${role}.${stage}`;
  return '';
}
