// The process of tools/bench/tasks/task.ts written by hand, with the same question, checks and timer: the floor that the flow file is
// held to.
import {
  ApplicationFailure,
  condition,
  defineQuery,
  defineUpdate,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';

interface Given {
  readonly by: string;
  readonly values?: { readonly state: string };
}

const asks = (inboxes: string[]) =>
  upsertSearchAttributes([{ key: { name: 'LockerInbox', type: 'KEYWORD_LIST' }, value: inboxes }]);

const claim = defineUpdate<void, [Given]>('claim');
const release = defineUpdate<void, [Given]>('release');
const answer = defineUpdate<void, [Given]>('answer');

export async function BenchTask(): Promise<unknown> {
  let holder: string | undefined;
  let state: string | undefined;
  const refuse = (code: string, message: string) => {
    throw ApplicationFailure.nonRetryable(message, code);
  };
  const mustBeAllowed = ({ by }: Given) => {
    if (by === 'rita') refuse('FourEyes', `${by} may not decide it`);
    if (holder !== undefined && holder !== by) refuse('HeldByAnother', `it is held by ${holder}`);
  };
  setHandler(defineQuery('progress'), () => ({ holder, state }));
  const hold = (name?: string) => {
    holder = name;
  };
  setHandler(claim, ({ by }) => hold(by), { validator: mustBeAllowed });
  setHandler(release, () => hold(), { validator: mustBeAllowed });
  setHandler(
    answer,
    ({ values }) => {
      state = values?.state;
    },
    {
      validator: (given) => {
        mustBeAllowed(given);
        if (!['whole', 'broken'].includes(given.values?.state ?? ''))
          refuse('InvalidAnswer', 'state must be one of whole, broken');
      },
    },
  );
  asks(['desk']);
  await condition(() => state !== undefined, '2 days');
  asks([]);
  return { state };
}
