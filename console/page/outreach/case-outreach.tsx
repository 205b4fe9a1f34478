// What a case offers to reach outside: a message to whom it is for, and a mechanic where one of its doors does not open.
import type { ProcessDetails } from '../../process/process-view.ts';
import { CaseMechanic } from './mechanic-button.tsx';
import { MessageButton } from './message-button.tsx';

interface CaseOutreachProps {
  readonly process: Pick<ProcessDetails, 'key' | 'status' | 'hasDoorFault'>;
  readonly mayAct: boolean;
  /** It stands beside what is wrong. */
  readonly isElsewhere?: boolean;
}

export function CaseOutreach({ process, mayAct, isElsewhere = false }: CaseOutreachProps) {
  const { key, status, hasDoorFault } = process;
  if (!mayAct || isElsewhere || status !== 'Running') return null;
  return (
    <>
      <MessageButton processKey={key} />
      {hasDoorFault && <CaseMechanic processKey={key} />}
    </>
  );
}
