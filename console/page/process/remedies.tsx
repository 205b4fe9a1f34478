// The ways out of what is wrong, as buttons in the banner that says it: one for each remedy of the overview, in its order. The first
// is the one to take.
import { t } from '../../../shared/texts/text.ts';
import type { ProcessOverview, Remedy } from '../../process/overview/overview-view.ts';
import type { ProcessDetails } from '../../process/process-view.ts';
import type { ActionForm } from '../../processes/processes-view.ts';
import { Button } from '../parts/button.tsx';
import { wallAddress } from '../shell/address.ts';
import { StartAgain } from './start-again.tsx';

export interface RemediesProps {
  readonly process: ProcessDetails;
  /** Those of the process that the reader may do. */
  readonly offered: readonly ActionForm[];
  readonly mayAct: boolean;
  readonly press: (form: ActionForm) => void;
}

/** Those that this reader can take. */
export function remediesShown({ process, offered, mayAct }: Omit<RemediesProps, 'press'>): readonly Remedy[] {
  return process.overview.remedies.filter(({ kind, id }) => {
    if (kind === 'act') return offered.some((form) => form.id === id);
    return mayAct;
  });
}

export function Remedies(props: RemediesProps) {
  const shown = remediesShown(props);
  if (shown.length === 0) return null;
  return (
    <div class="row remedies action-forms">
      {shown.map((remedy, index) => (
        <RemedyButton key={`${remedy.kind} ${remedy.id}`} remedy={remedy} isFirst={index === 0} {...props} />
      ))}
    </div>
  );
}

type ButtonProps = RemediesProps & { readonly remedy: Remedy; readonly isFirst: boolean };

function RemedyButton({ remedy, isFirst, process, offered, press }: ButtonProps) {
  const { kind, id, pupUid } = remedy;
  switch (kind) {
    case 'act':
      return <FormButton form={offered.find((each) => each.id === id)} isFirst={isFirst} press={press} />;
    case 'move':
    case 'startAgain':
      return <StartAgain key={`${process.runId} ${process.status}`} process={process} isMain={isFirst} />;
    case 'flow':
      return <a class="button" href={`/flows/${encodeURIComponent(process.flow)}`}>{t`Show the flow`}</a>;
    case 'wall':
      return <a class="button" href={wallAddress(`${pupUid}`, id)}>{t`Open the locker…`}</a>;
  }
}

interface FormButtonProps {
  readonly form: ActionForm | undefined;
  readonly isFirst: boolean;
  readonly press: (form: ActionForm) => void;
}

function FormButton({ form, isFirst, press }: FormButtonProps) {
  if (!form) return null;
  const mild = isFirst ? 'main' : undefined;
  return (
    <Button kind={form.isDestructive ? 'danger' : mild} press={() => press(form)}>
      {form.label}
    </Button>
  );
}

/** What stands in the banner is not in the menu as well. */
export const idsIn = ({ remedies }: Pick<ProcessOverview, 'remedies'>): ReadonlySet<string | null> =>
  new Set(remedies.map(({ id }) => id));
