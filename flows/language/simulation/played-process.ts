// A process of a flow file in a world of virtual time, on the engine that runs it in production. Whoever plays it moves the time,
// answers its calls and drains its inbox.
import { type ActivityCall, activityLogic, childLogic } from '../../../engine/actor-kinds.ts';
import { ownOf } from '../../../engine/chart/messages.ts';
import type { Definition } from '../../../engine/definition.ts';
import { Process } from '../../../engine/process.ts';
import type { VirtualCall } from '../../../engine/virtual-world.ts';
import type { World } from '../../../engine/world.ts';
import { instantText } from '../duration.ts';
import { type ExpressionFailure, expressionFailureIn } from '../expressions/failure.ts';
import { type FlowFile, invokesIn, type Json, type JsonObject } from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { flowFileDefinition } from '../machine/definition.ts';
import { Incoming } from '../machine/incoming.ts';
import type { Invocation } from '../machine/kit.ts';
import { Registration } from '../machine/listening.ts';
import { formerNames, inverse, renamed } from '../machine/migration.ts';
import { Questions } from '../machine/questions.ts';
import type { Published } from '../registry.ts';
import type { MessageStimulus, RecordedProcess } from './recorded-process.ts';

/** A call that the player answers: nothing of it runs. */
const call = <Input>(activity: string): ActivityCall<Input> => ({
  activity,
  options: () => ({}),
  summary: () => undefined,
  heedsCancellation: true,
});
const child = (workflow: string) =>
  childLogic({ workflow, workflowId: () => '', hears: () => [], argument: () => undefined });

interface PlayedStart {
  readonly file: FlowFile;
  readonly version: number;
  readonly input: Json;
  readonly key: string;
  readonly world: World;
  /** Called when the process halts. */
  halted(failure: ExpressionFailure | undefined): void;
}

interface PlayedProcess {
  /** Not begun yet. */
  readonly process: Process;
  readonly registration: Registration;
  readonly questions: Questions;
}

/** Throws an ExpressionFailure if its first step fails. */
export function playedProcess({ file, version, input, key, world, halted }: PlayedStart): PlayedProcess {
  const begunAt = instantText(world.now());
  const questions = new Questions();
  const registration = new Registration();
  const definitionOf = (published: Published, dropped = 0): Definition => {
    const incoming = new Incoming(published.file, dropped);
    const { halts, ...declared } = flowFileDefinition({
      published,
      questions,
      incoming,
      registration,
      actors: (src) => (kindOfActor(src) === 'flow' ? child(src) : activityLogic(call(src))),
      startedAt: () => begunAt,
      now: () => world.now(),
      isCancelled: () => process.cancellation !== undefined,
      as: (next) => definitionOf(next, incoming.dropped),
    });
    return {
      ...declared,
      outbox: { type: 'emit', call: call('emitEvent'), relay: { workflow: '', patience: {} } },
      handOver: call('passOn'),
      halts: (error) => {
        halted(expressionFailureIn(error));
        return halts?.(error);
      },
    };
  };
  const process: Process = new Process({
    definition: definitionOf({ file, version, publishedAt: begunAt }),
    start: {
      input: { request: input },
      flow: file.name,
      version,
      workflowId: key,
      firstExecutionRunId: key,
    },
    world,
  });
  return { process, questions, registration };
}

/** The question that it was for, if any; or why it is not possible. */
type StimulusResult = { readonly question?: string } | { readonly refusal: string };

interface CallOfPlay {
  readonly id: string;
  readonly src: string;
  readonly input: Json;
  readonly hears: readonly string[];
  readonly keep?: Json | undefined;
  /** The number of the step that it undoes. */
  readonly step?: number | undefined;
}

/** A flow file, played on what happened to a process. */
export class PlayedFile {
  /** What its parts were called in the version that the process ran on. */
  readonly names: PlayedNames;
  readonly #recorded: RecordedProcess;
  readonly #published: Pick<Published, 'file' | 'version'>;
  #questions = new Questions();

  constructor(
    recorded: RecordedProcess,
    published: Pick<Published, 'file' | 'version'>,
    names = namesBefore(published.file),
  ) {
    this.#recorded = recorded;
    this.#published = published;
    this.names = names;
  }

  /** Not begun yet. Throws if its first step fails. */
  process(world: World): Process {
    const { file, version } = this.#published;
    const { input, key } = this.#recorded;
    const played = playedProcess({ file, version, input, key, world, halted: () => undefined });
    this.#questions = played.questions;
    return played.process;
  }

  callOf({ input: made }: VirtualCall): CallOfPlay {
    const { id, src, input, hears, step } = made as Invocation;
    const call = { id, src, hears, step };
    if (src === 'ask') return { ...call, input: { of: (input as JsonObject).of ?? null } };
    if (src !== 'call') return { ...call, input };
    const { keep, ...others } = input as JsonObject;
    return { ...call, input: others, keep };
  }

  take(stimulus: MessageStimulus, process: Process): StimulusResult {
    const questions = this.#questions;
    switch (stimulus.kind) {
      case 'event':
        process.signal('event', this.#renamed(stimulus.payload));
        return {};
      case 'answer': {
        const refusal = questions.refusal(stimulus.given);
        if (!refusal) return questions.answer(stimulus.given);
        return { refusal: `the answer of history is not one to its question: ${refusal.message}` };
      }
      case 'task': {
        const { action, given } = stimulus;
        const refusal = questions.changeRefusal(action, given);
        if (!refusal) return questions.change(action, given);
        return { refusal: `somebody did ${action} a question, which is refused now: ${refusal.message}` };
      }
    }
  }

  /** An outside event that the file knows by another name now. */
  #renamed(payload: unknown): unknown {
    const { type } = (payload ?? {}) as { readonly type?: unknown };
    const found = Object.entries(this.names.events).find(([, former]) => former === type);
    return found ? { ...(payload as object), type: found[0] } : payload;
  }
}

/** What the parts of a file were called in another version. */
export interface PlayedNames {
  /** By the paths of states that were renamed, or are within one. */
  state(path: string): string;
  /** By the invoke's id. */
  readonly calls: ReadonlyMap<string, string>;
  /** By the event's type. */
  readonly events: Readonly<Record<string, string>>;
}

/** In the version before. */
function namesBefore(file: FlowFile): PlayedNames {
  const { states, invokes, events } = inverse(formerNames(file));
  const state = (path: string) => renamed(path, states);
  const calls = invokesIn(file).map(({ id, invoke }) => {
    // Without an id of its own it is named after its state.
    const before = ownOf(invokes, id) ?? (invoke.id === undefined ? state(id) : id);
    return [id, before] as const;
  });
  return { state, calls: new Map(calls), events };
}
