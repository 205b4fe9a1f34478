// The processes of messages.bench.ts written by hand: a parent and its child that send each other signals.
import {
  condition,
  defineQuery,
  defineSignal,
  getExternalWorkflowHandle,
  setHandler,
  startChild,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';

interface Sent {
  readonly type: string;
  readonly data: number;
}

const event = defineSignal<[Sent]>('event');
const childEvent = defineSignal<[Sent]>('childEvent');

/** As every process of a flow file has it. */
const isOpen = () =>
  upsertSearchAttributes([{ key: { name: 'LockerPhase', type: 'KEYWORD' }, value: 'Open' }]);

export async function BenchPing({ request }: { request: { rounds: number } }): Promise<number> {
  const answers: number[] = [];
  let rounds = 0;
  setHandler(childEvent, ({ data }) => void answers.push(data));
  setHandler(defineQuery('progress'), () => ({ rounds }));
  isOpen();
  const child = await startChild('BenchEcho', {
    workflowId: `${workflowInfo().workflowId}/echo`,
    args: [{}],
  });
  for (; rounds < request.rounds; rounds++) {
    await child.signal(event, { type: 'ping', data: rounds });
    await condition(() => answers.length > rounds);
  }
  await child.signal(event, { type: 'stop', data: rounds });
  await child.result();
  return rounds;
}

export async function BenchEcho(): Promise<void> {
  const { parent } = workflowInfo();
  const waiting: Sent[] = [];
  setHandler(event, (sent) => void waiting.push(sent));
  setHandler(defineQuery('progress'), () => ({ waiting }));
  isOpen();
  for (;;) {
    await condition(() => waiting.length > 0);
    const sent = waiting.shift();
    if (sent?.type !== 'ping') return;
    await getExternalWorkflowHandle(parent?.workflowId ?? '').signal(childEvent, sent);
  }
}
