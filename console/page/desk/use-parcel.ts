// A parcel as far as it is typed, and its registration.
import { useState } from 'preact/hooks';
import type { DeskPickUpPoint, PersonFound } from '../../desk/desk-view.ts';
import { postJson, type Refusal, useDoing } from '../shell/api.ts';

const EMPTY = { width: '', height: '', length: '', referenceNo: '', description: '', pickUpWithin: '' };
type Texts = typeof EMPTY;

export type ParcelDraft = ReturnType<typeof useParcel>;

export function useParcel(
  pupUid: string,
  points: readonly DeskPickUpPoint[],
  registered: (key: string) => void,
) {
  const [key] = useState(freshKey);
  const [pup, setPup] = useState(pupUid);
  const [lockerUid, setLockerUid] = useState('');
  const [isLarger, setLarger] = useState(true);
  const [person, setPerson] = useState<PersonFound>();
  const [texts, setTexts] = useState(EMPTY);
  const point = points.find((each) => each.pupUid === pup) ?? points[0];
  const { isBusy, refusal, run } = useDoing(
    (parcel: object) => postJson<{ key: string }>('/api/desk/parcels', parcel),
    (answer) => registered(answer.key),
  );
  const { width, height, length, referenceNo, description, pickUpWithin } = texts;
  const send = (event: Event) => {
    event.preventDefault();
    run({
      key,
      pupUid: point?.pupUid ?? '',
      ...(lockerUid !== '' && { lockerUid }),
      ...receiverOf(person),
      dimension: { width: numberIn(width), height: numberIn(height), length: numberIn(length) },
      allowLargerLockers: isLarger,
      ...filled({ referenceNo, description, pickUpWithin }),
    });
  };
  return {
    ...{ point, lockerUid, setLockerUid, isLarger, setLarger, person, setPerson, isBusy, refusal, send },
    choosePoint: (chosen: string) => {
      setPup(chosen);
      setLockerUid('');
    },
    wrong: (...paths: readonly string[]) => wrongIn(refusal, paths),
    /** The props of the text field with this name. */
    text: (name: keyof Texts) => ({
      name,
      value: texts[name],
      autocomplete: 'off',
      onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
        setTexts((before) => ({ ...before, [name]: currentTarget.value })),
    }),
  };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Made once for each form, so that a form that is sent twice is one parcel. */
function freshKey(): string {
  // crypto.randomUUID is not there on a page without TLS, which a console in an internal network may be.
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return `desk-${[...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`;
}

/** A field of the form, or the same field of the flow's input. */
const wrongIn = (refusal: Refusal | undefined, paths: readonly string[]): string | undefined =>
  paths.flatMap((path) => refusal?.fields[path] ?? refusal?.fields[`request.${path}`] ?? [])[0];

function receiverOf(person: PersonFound | undefined): object {
  if (!person) return {};
  if (person.userUid !== null) return { toUserUid: person.userUid };
  const { emailAddress, firstName, lastName, phoneNumber, languageCode } = person;
  return {
    toUser: {
      emailAddress: emailAddress ?? '',
      firstName: firstName ?? '',
      lastName: lastName ?? '',
      ...filled({ phoneNumber, languageCode }),
    },
  };
}

const filled = (fields: Readonly<Record<string, string | null>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value.trim() !== ''));

/** A text that is not a number goes as it is: the answer says at the field what is expected. */
function numberIn(text: string): number | string {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(value) ? text : value;
}
