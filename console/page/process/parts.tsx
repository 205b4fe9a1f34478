// The parts of a case that does the same for many: for each, also those that have not begun, for whom it is, where it is, and what is
// next. Who has not come stands first.

import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { CasePart, PartSubject } from '../../process/overview/overview-view.ts';
import { MessageButton } from '../outreach/message-button.tsx';
import { TellAll } from '../outreach/tell-all.tsx';
import { useTold } from '../outreach/told-before.tsx';
import { Table } from '../parts/frames.tsx';
import { BulkActionDialog } from '../processes/bulk-action-dialog.tsx';
import { useReach } from '../shell/reach.ts';
import { Until, Where } from './answers.tsx';
import { Name } from './process-head.tsx';

interface PartsProps {
  readonly processKey: string;
  readonly parts: readonly CasePart[];
  /** Undefined: not known yet, or not for this person. */
  readonly subjects: readonly PartSubject[] | undefined;
  readonly clockAheadMs: number;
  readonly mayAct: boolean;
}

export function Parts({ processKey, parts, subjects = [], clockAheadMs, mayAct }: PartsProps) {
  const [telling, setTelling] = useState<readonly string[]>();
  const { message } = useReach();
  const byId = new Map(subjects.map((each) => [each.id, each]));
  const missing = parts.flatMap(({ id, key, stage }) =>
    key && stage === 'toBring' ? [{ key, of: byId.get(id) }] : [],
  );
  const keys = missing.map(({ key }) => key);
  const mayTellAll = mayAct && message && keys.length > 1;
  const told = useTold(keys, mayTellAll);
  if (parts.length === 0) return null;
  return (
    <section class="card case-parts" aria-labelledby="parts-title">
      <h2 id="parts-title">{t`Parts of this case`}</h2>
      {mayTellAll && (
        <p class="row">
          <TellAll
            keys={keys}
            words={t`Tell all ${keys.length} who have not come…`}
            told={told}
            begin={setTelling}
          />
        </p>
      )}
      {telling && (
        <BulkActionDialog
          verb="message"
          keys={telling}
          abouts={new Map(missing.flatMap(({ key, of }) => (of ? [[key, aboutOf(of)] as const] : [])))}
          close={() => setTelling(undefined)}
          done={() => undefined}
        />
      )}
      <Table head={[t`For`, t`Item`, t`Where`, t`Next`, t`Due`, ...(mayAct ? [t`Tell them`] : [])]}>
        {parts.map((part, index) => (
          <PartRow
            key={part.id}
            processKey={processKey}
            part={part}
            number={index + 1}
            subject={byId.get(part.id)}
            clockAheadMs={clockAheadMs}
            mayAct={mayAct}
          />
        ))}
      </Table>
    </section>
  );
}

const aboutOf = ({ people, item }: PartSubject) => ({
  people: people.flatMap(({ userUid, name }) => (userUid === null ? [] : [{ userUid, name }])),
  item,
  reference: null,
});

interface PartRowProps {
  readonly processKey: string;
  readonly part: CasePart;
  readonly number: number;
  readonly subject: PartSubject | undefined;
  readonly clockAheadMs: number;
  readonly mayAct: boolean;
}

const RUNS: ReadonlySet<CasePart['stage']> = new Set(['toBring', 'inside', 'open']);

function PartRow({ processKey, part, number, subject, clockAheadMs, mayAct }: PartRowProps) {
  const { key, where, next, stage } = part;
  const [person] = subject?.people ?? [];
  const item = subject?.item ?? (subject ? '–' : t`Part ${number}`);
  return (
    <tr data-stage={stage}>
      <th scope="row">{person ? <Name {...person} /> : '–'}</th>
      <td>{key ? <a href={`/process/${encodeURIComponent(key)}`}>{item}</a> : item}</td>
      <td>
        {where.map(({ words, pupUid }) => (
          <Where key={words} words={words} pupUid={pupUid} />
        ))}
      </td>
      <td class={next?.isOverdue ? 'is-late tone' : undefined}>{next?.words ?? texts[stage]}</td>
      <td class={next?.isOverdue ? 'is-late tone' : undefined}>
        {next?.until && <Until at={next.until} isOverdue={next.isOverdue} aheadMs={clockAheadMs} />}
      </td>
      {mayAct && (
        <td>
          {key && RUNS.has(stage) && <MessageButton processKey={key} />}
          {/* It has no process of its own yet. */}
          {stage === 'notBegun' && person?.userUid && (
            <MessageButton processKey={processKey} to={person.userUid} />
          )}
        </td>
      )}
    </tr>
  );
}

const texts: Readonly<Record<CasePart['stage'], string>> = {
  notBegun: t`Not begun`,
  toBring: t`To be put in`,
  inside: t`In its locker`,
  open: t`Under way`,
  done: t`Done`,
  failed: t`Failed`,
  cancelled: t`Cancelled`,
};

/** Whom, else what, it is about: in the timeline and beside. Null: it is none of these, or nobody may know it. */
export function nameOfPart(subjects: readonly PartSubject[] | undefined, key: string): string | null {
  const subject = subjects?.find((each) => each.key === key);
  return subject?.people[0]?.name ?? subject?.item ?? null;
}
