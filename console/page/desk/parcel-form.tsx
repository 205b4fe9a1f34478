// What must be known of a parcel: where, for whom, how large. Wrong fields say what is wrong with them.
import type { DeskPickUpPoint } from '../../desk/desk-view.ts';
import { Button } from '../parts/button.tsx';
import { Field, SelectField } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useJson } from '../shell/api.ts';
import { PersonDetails } from './person-details.tsx';
import { PersonSearch } from './person-search.tsx';
import { type ParcelDraft, useParcel } from './use-parcel.ts';

export interface ParcelFormProps {
  /** Chosen before, if not empty. */
  readonly pupUid: string;
  readonly registered: (key: string) => void;
}

export function ParcelForm({ pupUid, registered }: ParcelFormProps) {
  const points = useJson<readonly DeskPickUpPoint[]>('/api/desk/pick-up-points');
  const parcel = useParcel(pupUid, points.data ?? [], registered);
  const { person, setPerson, wrong, text } = parcel;
  return (
    <form class="card desk-form" onSubmit={parcel.send} noValidate>
      {points.refusal && <RefusalNote refusal={points.refusal} />}
      <PickUpPoint points={points.data ?? []} parcel={parcel} />
      <PersonSearch person={person} choose={setPerson} wrong={wrong('receiver', 'toUserUid')} />
      {person && person.userUid === null && (
        <PersonDetails person={person} change={setPerson} wrong={(name) => wrong(`toUser.${name}`)} />
      )}
      <fieldset class="measures">
        <legend>Size of the parcel, in centimeters</legend>
        <Field label="Width" inputMode="decimal" {...text('width')} wrong={wrong('dimension.width')} />
        <Field label="Height" inputMode="decimal" {...text('height')} wrong={wrong('dimension.height')} />
        <Field label="Length" inputMode="decimal" {...text('length')} wrong={wrong('dimension.length')} />
      </fieldset>
      <Locker parcel={parcel} />
      <Field
        label="Reference (optional)"
        {...text('referenceNo')}
        wrong={wrong('referenceNo', 'details.referenceNo')}
      />
      <Field
        label="Description (optional)"
        {...text('description')}
        wrong={wrong('description', 'details.description')}
      />
      <Field
        label="To be picked up within (optional)"
        hint="a duration like P3D (3 days) or PT12H (12 hours)"
        {...text('pickUpWithin')}
        wrong={wrong('pickUpWithin', 'deadlines.issue.pickUp')}
      />
      {parcel.refusal && <RefusalNote refusal={parcel.refusal} />}
      <Button kind="main" isBusy={parcel.isBusy}>
        Register the parcel
      </Button>
    </form>
  );
}

interface PartProps {
  readonly parcel: ParcelDraft;
}

function PickUpPoint({ points, parcel }: PartProps & { readonly points: readonly DeskPickUpPoint[] }) {
  const { point, choosePoint, wrong } = parcel;
  return (
    <SelectField
      label="Pick up point"
      name="pupUid"
      value={point?.pupUid ?? ''}
      wrong={wrong('pupUid')}
      onChange={({ currentTarget }) => choosePoint(currentTarget.value)}
    >
      {points.map((each) => (
        <option key={each.pupUid} value={each.pupUid}>
          {each.name} ({each.free.length} free)
        </option>
      ))}
    </SelectField>
  );
}

function Locker({ parcel }: PartProps) {
  const { point, lockerUid, setLockerUid, isLarger, setLarger, wrong } = parcel;
  return (
    <>
      <SelectField
        label="Locker"
        name="lockerUid"
        value={lockerUid}
        wrong={wrong('lockerUid')}
        onChange={({ currentTarget }) => setLockerUid(currentTarget.value)}
      >
        <option value="">the first free one that fits</option>
        {point?.free.map((each) => (
          <option key={each.lockerUid} value={each.lockerUid}>
            {each.lockerName} ({each.size})
          </option>
        ))}
      </SelectField>
      <p>
        <label>
          <input
            type="checkbox"
            checked={isLarger}
            onChange={({ currentTarget }) => setLarger(currentTarget.checked)}
          />{' '}
          a larger locker will do, too
        </label>
      </p>
    </>
  );
}
