// What a case offers to reach outside: a message to whom it is for, and a mechanic where one of its doors does not open.
import type { ProcessDetails } from '../../process/process-view.ts';
import { Mechanic } from './mechanic-button.tsx';
import { MessageButton } from './message-button.tsx';

interface CaseOutreachProps {
  readonly process: Pick<ProcessDetails, 'key' | 'status' | 'doorFault' | 'parts'>;
  readonly mayAct: boolean;
  /** It stands beside what is wrong. */
  readonly isElsewhere?: boolean;
}

export function CaseOutreach({ process, mayAct, isElsewhere = false }: CaseOutreachProps) {
  const { key, status, doorFault, parts } = process;
  if (!mayAct || isElsewhere) return null;
  return (
    <>
      {/* Each of its parts is for somebody else: they have one of their own. */}
      {parts.length === 0 && <MessageButton processKey={key} />}
      {doorFault && status === 'Running' && <Mechanic {...doorFault} processKey={key} mayAct />}
    </>
  );
}
