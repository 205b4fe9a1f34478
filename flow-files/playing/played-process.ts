// A process of a flow file in a world of virtual time, on the driver that runs it in production. Whoever plays it moves the time,
// answers its calls and drains its inbox.
import { activity, childWorkflow } from '../../driver/actor-kinds.ts';
import { complete } from '../../driver/defaults.ts';
import type { Declared } from '../../driver/definition.ts';
import { Process } from '../../driver/process.ts';
import type { World } from '../../driver/world.ts';
import { type ExpressionFailure, expressionFailureIn } from '../expressions/failure.ts';
import { instantText } from '../expressions/moments.ts';
import type { FlowFile, Json } from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { flowFileDefinition } from '../machine/definition.ts';
import { Incoming } from '../machine/incoming.ts';
import { Registration } from '../machine/listening.ts';
import { Questions } from '../machine/questions.ts';
import type { ProcessRules, Published } from '../registry.ts';

export interface PlayedStart {
  readonly file: FlowFile;
  readonly version: number;
  readonly rules: ProcessRules | undefined;
  readonly input: Json;
  readonly key: string;
  readonly world: World;
  /** Called when the process halts. */
  halted(failure: ExpressionFailure | undefined): void;
}

export interface PlayedProcess {
  /** Not begun yet. */
  readonly process: Process;
  readonly registration: Registration;
  readonly questions: Questions;
}

/** Throws an ExpressionFailure if its first step fails. */
export function playedProcess({
  file,
  version,
  rules,
  input,
  key,
  world,
  halted,
}: PlayedStart): PlayedProcess {
  const begunAt = instantText(world.now());
  const questions = new Questions();
  const registration = new Registration();
  const definitionOf = (published: Published, dropped = 0): Declared => {
    const incoming = new Incoming(published.file, dropped);
    const { halts, ...declared } = flowFileDefinition({
      ...{ published, questions, incoming, registration, rules },
      actors: (src) => (kindOfActor(src) === 'flow' ? childWorkflow(src) : activity(src)),
      startedAt: () => begunAt,
      now: () => world.now(),
      isCancelled: () => process.cancellation !== undefined,
      as: (next) => definitionOf(next, incoming.dropped),
    });
    return {
      ...declared,
      outbox: { type: 'emit', call: activity('emitEvent').call as never },
      handOver: activity('passOn').call as never,
      halts: (error) => {
        halted(expressionFailureIn(error));
        return halts?.(error);
      },
    };
  };
  const process: Process = new Process({
    definition: complete(definitionOf({ file, version, publishedAt: begunAt })),
    start: {
      ...{ input: { request: input }, flow: file.name, version },
      ...{ workflowId: key, firstExecutionRunId: key },
    },
    world,
  });
  return { process, questions, registration };
}
