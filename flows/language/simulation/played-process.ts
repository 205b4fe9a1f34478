// A process of a flow file in a world of virtual time, on the engine that runs it in production. Whoever plays it moves the time,
// answers its calls and drains its inbox.
import type { EventObject } from 'xstate';
import { type ActivityCall, activityLogic, childLogic } from '../../../engine/actor-kinds.ts';
import type { Definition } from '../../../engine/definition.ts';
import { Process } from '../../../engine/process.ts';
import type { VirtualCall } from '../../../engine/virtual-world.ts';
import type { World } from '../../../engine/world.ts';
import { instantText } from '../duration.ts';
import { type ExpressionFailure, expressionFailureIn } from '../expressions/failure.ts';
import {
  type FlowFile,
  invokeIdOf,
  type Json,
  type JsonObject,
  listOf,
  type StateData,
} from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { flowFileDefinition } from '../machine/definition.ts';
import { Incoming } from '../machine/incoming.ts';
import type { EmittedEvent, Invocation } from '../machine/kit.ts';
import { Registration } from '../machine/listening.ts';
import type { FlowFileProgress } from '../machine/progress.ts';
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
  readonly names: FormerNames;
  readonly #recorded: RecordedProcess;
  readonly #published: Pick<Published, 'file' | 'version'>;
  #questions = new Questions();

  constructor(
    recorded: RecordedProcess,
    published: Pick<Published, 'file' | 'version'>,
    names = formerNames(published.file),
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

  /** The code of a failure of its first step; undefined: it is a defect. */
  codeOf(error: unknown): string | undefined {
    return expressionFailureIn(error)?.code;
  }

  callOf({ input: made }: VirtualCall): CallOfPlay {
    const { id, src, input, hears, step } = made as Invocation;
    const call = { id, src, hears, step };
    if (src === 'ask') return { ...call, input: { of: (input as JsonObject).of ?? null } };
    if (src !== 'call') return { ...call, input };
    const { keep, ...others } = input as JsonObject;
    return { ...call, input: others, keep };
  }

  /** Null: it has not emitted it. */
  emitted(event: EventObject): Json | null {
    const { emitted = null } = event as Partial<EmittedEvent>;
    return emitted as unknown as Json;
  }

  /** Whether it waits for something from outside that is neither a call nor a timer. */
  isWaiting(process: Process): boolean {
    return (process.progress() as FlowFileProgress).events.length > 0;
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
    const found = [...this.names.events].find(([, former]) => former === type);
    return found ? { ...(payload as object), type: found[0] } : payload;
  }
}

export interface FormerNames {
  /** By the state's path. */
  readonly states: ReadonlyMap<string, string>;
  /** By the invoke's id. */
  readonly calls: ReadonlyMap<string, string>;
  /** By the event's type. */
  readonly events: ReadonlyMap<string, string>;
}

export function formerNames(file: FlowFile): FormerNames {
  const names = {
    states: new Map<string, string>(),
    calls: new Map<string, string>(),
    events: new Map<string, string>(),
  };
  collect(file, [], [], names);
  return names;
}

type Path = readonly string[];

function collect(state: StateData, path: Path, former: Path, names: MutableNames): void {
  if (path.length > 0) names.states.set(path.join('.'), former.join('.'));
  for (const [index, invoke] of listOf(state.invoke).entries()) {
    // Without an id of its own it is named after its state.
    const before = invoke.was ?? invokeIdOf(invoke, former, index);
    names.calls.set(invokeIdOf(invoke, path, index), before);
  }
  for (const [type, transitions] of Object.entries(state.on ?? {})) {
    const was = listOf(transitions).flatMap((each) => (typeof each === 'object' && each.was) || []);
    if (was[0] !== undefined) names.events.set(type, was[0]);
  }
  for (const [key, inner] of Object.entries(state.states ?? {}))
    collect(inner, [...path, key], inner.was?.split('.') ?? [...former, key], names);
}

interface MutableNames {
  readonly states: Map<string, string>;
  readonly calls: Map<string, string>;
  readonly events: Map<string, string>;
}
