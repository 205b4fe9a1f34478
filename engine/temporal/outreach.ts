// Begins the workflow that delivers a message or a request for a mechanic. Its id is made of the update's: the same update again, in
// another run of the process too, begins no second one.
import {
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type CaseMessageMemo,
  caseMessageSubjects,
  type MechanicMemo,
  mechanicSubjects,
  type SendMechanic,
  type SendMessage,
} from '../../contract/flows/outreach.ts';
import type { OutreachFields } from '../outreach.ts';
import { shielded } from './scope.ts';

/** Gives its id. It outlives the process. */
export async function beginOutreach(
  workflow: string,
  fields: OutreachFields,
  updateId: string,
): Promise<string> {
  const { workflowId: key } = workflowInfo();
  const workflowId = `${key}/outreach/${updateId}`;
  const at = new Date().toISOString();
  const begin = () =>
    startChild(workflow, {
      args: [{ id: workflowId, key, at, ...fields }],
      workflowId,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
      ...foundBy(key, fields),
    });
  try {
    // A process that is being cancelled still sends what it has taken.
    await shielded(begin);
  } catch (error) {
    if ((error as Error).name !== 'WorkflowExecutionAlreadyStartedError') throw error;
  }
  return workflowId;
}

const subjects = (value: readonly string[]) => ({
  typedSearchAttributes: [
    { key: { name: 'LockerSubjects', type: 'KEYWORD_LIST' } as const, value: [...value] },
  ],
});

/** By it everybody finds what was sent, and who has sent it: whoever comes next must not send it a second time. */
function foundBy(key: string, { kind, fields }: OutreachFields) {
  if (kind === 'message') {
    const message: CaseMessageMemo = { ...(fields as unknown as SendMessage), key };
    return { memo: { message }, ...subjects(caseMessageSubjects(message)) };
  }
  const { pupUid, lockerName = null, ...said } = fields as unknown as SendMechanic;
  const mechanic: MechanicMemo = { ...said, pupUid, lockerName, key };
  return { memo: { mechanic }, ...subjects(mechanicSubjects(pupUid)) };
}
