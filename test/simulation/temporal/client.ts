// What the product uses of Temporal's client, over the simulated server: each call takes its time on both ways, and fails while
// the server cannot be reached. A call that is repeated by the client itself counts once, as with the real one.
import {
  type Client,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import type { Program } from '../kernel/simulator.ts';
import { encoded } from './cached-run.ts';
import type { Execution } from './execution.ts';
import { errorOf } from './failures.ts';
import type { SimulatedTemporal, Start } from './server.ts';
import type { Shown } from './visibility.ts';

/** Whether Temporal can be reached from a program at this moment. */
export type Reachable = () => boolean;

interface StartOptions {
  readonly workflowId: string;
  readonly args?: readonly unknown[];
  readonly memo?: Readonly<Record<string, unknown>>;
  readonly searchAttributes?: Readonly<Record<string, unknown>>;
  readonly typedSearchAttributes?: unknown;
  readonly workflowIdReusePolicy?: string;
  readonly workflowIdConflictPolicy?: string;
}

interface SignalWithStart extends StartOptions {
  readonly signal: string;
  readonly signalArgs?: readonly unknown[];
}

const GIVES_UP_MS = 12_000;

export function simulatedClient(
  temporal: SimulatedTemporal,
  program: Program,
  isReachable: Reachable,
): Client {
  const { simulator } = temporal;
  let updates = 0;

  function call<Answer>(what: string, run: (answer: Answering<Answer>) => void): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const back = (settle: () => void) =>
        simulator.in(temporal.latency(), `answer of Temporal: ${what}`, settle, program);
      const answering = {
        give: (answer: Answer) => void back(() => resolve(answer)),
        refuse: (error: unknown) => void back(() => reject(error)),
      };
      const reach = (): void => {
        if (isReachable()) return void run(answering);
        answering.refuse(new ServiceError('UNAVAILABLE: Temporal cannot be reached'));
      };
      // Its own tries within some seconds.
      simulator.in(temporal.latency(), `Temporal: ${what}`, () =>
        isReachable() ? reach() : void simulator.in(GIVES_UP_MS, `Temporal: ${what}`, reach),
      );
    });
  }

  const simply = <Answer>(what: string, run: () => Answer): Promise<Answer> =>
    call(what, ({ give, refuse }) => {
      let answer: Answer;
      try {
        answer = run();
      } catch (error) {
        if (error instanceof Error && error.name !== 'Violation') return refuse(error);
        throw error;
      }
      give(answer);
    });

  const gone = (workflowId: string, runId?: string) =>
    new WorkflowNotFoundError('workflow execution already completed or not found', workflowId, runId);

  function started(type: string, options: StartOptions): Execution {
    const { workflowId, args = [], memo, searchAttributes, typedSearchAttributes } = options;
    const start: Start = {
      ...{ workflowId, type, args, searchAttributes: searchAttributes ?? {}, typedSearchAttributes },
      ...(memo && { memo }),
    };
    return temporal.start(start);
  }

  const handleOf = (workflowId: string, runId?: string) => {
    const open = (): Execution => {
      const execution = temporal.open(workflowId, runId);
      if (!execution) throw gone(workflowId, runId);
      return execution;
    };
    const any = (): Execution => {
      const execution = temporal.newest(workflowId);
      if (!execution) throw gone(workflowId, runId);
      return execution;
    };
    return {
      workflowId,
      signal: (definition: Named, ...args: unknown[]) =>
        simply(`signal ${workflowId}`, () => temporal.signal(open(), nameOf(definition), encoded(args))),
      query: (definition: Named, ...args: unknown[]) =>
        call(`query ${workflowId}`, ({ give, refuse }) => {
          let tries = 0;
          const ask = (): void => {
            const execution = temporal.newest(workflowId);
            if (!execution) return void refuse(gone(workflowId));
            const worker = temporal.workerFor(execution);
            // Until a worker has shown the workflow its start there is nothing to ask.
            if ((!worker || execution.recorded.length === 0) && tries < 10) {
              tries += 1;
              simulator.in(1_000, `query ${workflowId}`, ask);
              return;
            }
            if (!worker || execution.recorded.length === 0)
              return void refuse(new ServiceError('DEADLINE_EXCEEDED: no worker answers'));
            try {
              give(worker.query(execution, nameOf(definition), args));
            } catch (error) {
              if (error instanceof Error && error.name !== 'Violation') return void refuse(error);
              throw error;
            }
          };
          ask();
        }),
      describe: () => simply(`describe ${workflowId}`, () => descriptionOf(temporal.describe(any()))),
      executeUpdate: (
        definition: Named,
        { args = [], updateId }: { args?: readonly unknown[]; updateId?: string } = {},
      ) =>
        call(`update ${workflowId}`, ({ give, refuse }) => {
          const execution = temporal.open(workflowId, runId);
          if (!execution) return refuse(gone(workflowId));
          updates += 1;
          temporal.update(
            execution,
            nameOf(definition),
            args,
            updateId ?? `${program.name}-update-${updates}`,
            {
              done: give,
              failed: (failure) =>
                refuse(
                  failure === 'gone'
                    ? gone(workflowId)
                    : new WorkflowUpdateFailedError('Workflow Update failed', errorOf(failure)),
                ),
            },
          );
        }),
      cancel: () => simply(`cancel ${workflowId}`, () => temporal.requestCancel(open())),
      terminate: () => simply(`terminate ${workflowId}`, () => temporal.terminate(open())),
    };
  };

  const workflow = {
    getHandle: handleOf,
    start: (definition: Named, options: StartOptions) =>
      simply(`start ${options.workflowId}`, () => {
        const { workflowId, workflowIdConflictPolicy = 'FAIL', workflowIdReusePolicy } = options;
        const isOpen = temporal.open(workflowId) !== undefined;
        const isUsed =
          temporal.newest(workflowId) !== undefined && workflowIdReusePolicy === 'REJECT_DUPLICATE';
        if ((isOpen && workflowIdConflictPolicy === 'FAIL') || (!isOpen && isUsed))
          throw new WorkflowExecutionAlreadyStartedError('already started', workflowId, nameOf(definition));
        if (!isOpen) started(nameOf(definition), options);
        return handleOf(workflowId);
      }),
    signalWithStart: (definition: Named, options: SignalWithStart) =>
      simply(`signal with start ${options.workflowId}`, () => {
        const { workflowId, signal, signalArgs = [] } = options;
        const execution = temporal.open(workflowId) ?? started(nameOf(definition), options);
        temporal.signal(execution, signal, encoded(signalArgs));
        return handleOf(workflowId);
      }),
    async *list({ query = '' }: { readonly query?: string } = {}) {
      for (const shown of await simply(`list ${query}`, () => temporal.list(query)))
        yield descriptionOf(shown);
    },
  };
  return { workflow } as unknown as Client;
}

interface Answering<Answer> {
  readonly give: (answer: Answer) => void;
  readonly refuse: (error: unknown) => void;
}

type Named = string | { readonly name: string };

const nameOf = (given: Named): string => (typeof given === 'string' ? given : given.name);

/** As the client gives it. */
const descriptionOf = ({
  workflowId,
  runId,
  type,
  status,
  startedAt,
  closedAt,
  attributes,
  memo,
}: Shown) => ({
  ...{ workflowId, runId, type, memo, status: { name: status }, searchAttributes: attributes },
  startTime: new Date(startedAt),
  ...(closedAt !== null && { closeTime: new Date(closedAt) }),
});
