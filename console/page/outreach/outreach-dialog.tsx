// What is sent outside, before it is sent: what is proposed for it may be edited. The same dialog sends once, however often it is asked.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { capitalized } from '../../../processes/views/format-names.ts';
import { t } from '../../../shared/texts/text.ts';
import { postOnce, postQuietly, RequestError, useSubmission } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { onSubmit, TextField } from '../parts/field.tsx';
import { NotYet, RefusalNote } from '../parts/refusal-note.tsx';

export interface Proposal {
  /** Null: nothing is proposed. */
  readonly text: string | null;
  /** To whom, or where. */
  readonly about: ComponentChildren;
}

/** Also where many are told at once. */
export const NOTHING_PROPOSED = t`Nothing is known that could be proposed: somebody must write the text.`;

interface OutreachDialogProps extends OutreachButtonProps {
  readonly close: () => void;
  readonly sent: (words: string) => void;
}

interface OutreachButtonProps {
  /** On the button that opens it. */
  readonly label: string;
  readonly title: string;
  /** Of the API, with what it is about in the body. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The field of the API that holds what a person writes. */
  readonly field: 'text' | 'problem';
  readonly fieldLabel: string;
  readonly hint: string;
  readonly consequence: string;
  readonly button: string;
  readonly proposalOf: (preview: never) => Proposal;
  /** The request that stands beside the button, with what became of it: once that is another one, it is not said to be on its way. */
  readonly known?: string | undefined;
}

/** With what became of it beside it. */
export function OutreachButton(props: OutreachButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [said, setSaid] = useState<string>();
  useEffect(() => setSaid(undefined), [props.known]);
  const sent = (words: string) => {
    setOpen(false);
    setSaid(`${capitalized(words)}.`);
  };
  return (
    <>
      <Button press={() => setOpen(true)}>{props.label}…</Button>
      <span role="status">{said}</span>
      {isOpen && <OutreachDialog {...props} close={() => setOpen(false)} sent={sent} />}
    </>
  );
}

function OutreachDialog(props: OutreachDialogProps) {
  const { title, path, body, proposalOf, consequence, close } = props;
  const [proposal, setProposal] = useState<Proposal>();
  const { refusal, run } = useSubmission(
    async () => proposalOf(previewIn(await postQuietly<Previewed>(`${path}?dryRun=true`, body))),
    setProposal,
  );
  useEffect(() => void run(), []);
  return (
    <Dialog title={title} close={close} closeLabel={t`Do nothing`}>
      {refusal && <RefusalNote refusal={refusal} />}
      {!refusal && !proposal && <NotYet refusal={undefined} words={t`Reading what is known …`} />}
      {proposal && (
        <>
          <div>{proposal.about}</div>
          <p class="soft">{consequence}</p>
          {proposal.text === null && <p class="note is-late">{NOTHING_PROPOSED}</p>}
          <OutreachForm {...props} proposed={proposal.text ?? ''} />
        </>
      )}
    </Dialog>
  );
}

/** The answer to a command of a case; a route without a case answers with the preview, or refuses. */
interface Previewed {
  readonly refusal?: { readonly code: string; readonly message: string } | null;
  readonly consequence?: unknown;
}

/** Throws RequestError. */
function previewIn(answer: Previewed): never {
  const { refusal, consequence = answer } = answer;
  if (refusal) throw new RequestError(409, refusal.code, refusal.message);
  return consequence as never;
}

interface OutreachFormProps extends OutreachDialogProps {
  readonly proposed: string;
}

function OutreachForm(props: OutreachFormProps) {
  const { path, body, field, fieldLabel, hint, button, proposed, sent } = props;
  const [request] = useState(() => crypto.randomUUID());
  const { isBusy, refusal, run } = useSubmission(
    (given: Readonly<Record<string, string>>) =>
      postOnce<{ readonly words?: string | null }>(path, { ...body, ...given }, idOf(request, given)),
    ({ words }) => sent(words ?? t`it is on its way`),
  );
  const send = (form: HTMLFormElement) =>
    run(Object.fromEntries(new FormData(form)) as Record<string, string>);
  return (
    <form onSubmit={onSubmit(send)} noValidate>
      <TextField
        label={fieldLabel}
        name={field}
        rows={5}
        maxLength={500}
        defaultValue={proposed}
        hint={hint}
        wrong={refusal?.fields[field]}
      />
      {refusal && <RefusalNote refusal={refusal} />}
      <Button kind="main" isBusy={isBusy}>
        {button}
      </Button>
    </form>
  );
}

/** One that was refused and is sent with other words is another request. */
const idOf = (request: string, given: object): string => {
  let hash = 0;
  for (const letter of JSON.stringify(given)) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return `${request}-${hash >>> 0}`;
};
