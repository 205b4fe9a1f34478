// What is searched for. It stands in the address, so that a search can be kept and sent to others.
import { useEffect, useState } from 'preact/hooks';
import { formatFlowName } from '../../../processes/views/format-names.ts';
import { t } from '../../../shared/texts/text.ts';
import type { FlowList } from '../../flows/flows-view.ts';
import { useJson } from '../api.ts';
import { Field, Options, SelectField } from '../parts/field.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { type PickUpPointNames, usePickUpPointNames } from '../shell/pick-up-points.ts';
import { stepWords } from './step-words.ts';

/** While a person types, the search waits for the end of the word. */
const TYPED_MS = 250;

/** By hours in the address; nothing there is any. */
const ages = [
  ['', t`any age`],
  ['1', t`older than 1 hour`],
  ['24', t`older than 1 day`],
  ['72', t`older than 3 days`],
  ['168', t`older than 1 week`],
  ['720', t`older than 30 days`],
] as const;
const places = [
  ['', t`anywhere`],
  ['true', t`with them`],
] as const;
const ends = [
  ['', t`at any time`],
  ['24', t`in 24 hours`],
  ['168', t`in 7 days`],
  ['720', t`in 30 days`],
] as const;

interface FiltersProps {
  readonly search: URLSearchParams;
}

/** On a phone they leave no room for what is found. */
const FOLDED = '(max-width: 640px)';

export const Filters = ({ search }: FiltersProps) => (
  <search>
    <details open={!matchMedia(FOLDED).matches}>
      <summary>{t`Narrow the list`}</summary>
      <div class="row filters">
        <Find search={search} />
        <Fields search={search} />
      </div>
    </details>
  </search>
);

type Changes = Readonly<Record<string, string | null>>;
const setter = (search: URLSearchParams) => (changes: Changes) =>
  goTo(addressWith(search, { ...changes, cursor: null }));

function Fields({ search }: FiltersProps) {
  const { data: known } = useJson<FlowList>('/v1/flows');
  const names = usePickUpPointNames();
  const set = setter(search);
  const flow = search.get('flow') ?? '';
  const titles = new Map(known?.items.map((each) => [each.flow, each.title]));
  const flows = new Set([...titles.keys(), ...(flow === '' ? [] : [flow])]);
  const ended = ['closed', 'failed'].includes(search.get('state') ?? '');
  return (
    <>
      <SelectField label={t`Flow`} value={flow} set={(value) => set({ flow: value })}>
        <option value="">{t`any flow`}</option>
        {[...flows].sort().map((name) => (
          <option key={name} value={name}>
            {titles.get(name) ?? formatFlowName(name)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t`Pick up point`}
        value={search.get('pickUpPoint') ?? ''}
        set={(value) => set({ pickUpPoint: value })}
      >
        <option value="">{t`any pick up point`}</option>
        {pickUpPoints(names, search.get('pickUpPoint')).map(([pupUid, name]) => (
          <option key={pupUid} value={pupUid}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t`Age`}
        value={search.get('olderThan') ?? ''}
        set={(value) => set({ olderThan: value })}
      >
        <Options of={ages} />
      </SelectField>
      {!ended && (
        <SelectField
          label={t`Where the item is`}
          value={search.get('withThem') ?? ''}
          set={(value) => set({ withThem: value })}
        >
          <Options of={places} />
        </SelectField>
      )}
      {!ended && (
        <SelectField
          label={t`Expected`}
          value={search.get('step') ?? ''}
          set={(value) => set({ step: value })}
        >
          <Options of={[['', t`anything`], ...Object.entries(stepWords)]} />
        </SelectField>
      )}
      {ended && (
        <SelectField
          label={t`Ended`}
          value={search.get('endedWithin') ?? ''}
          set={(value) => set({ endedWithin: value })}
        >
          <Options of={ends} />
        </SelectField>
      )}
    </>
  );
}

/** One that is not known here, or not any more, is still shown. */
const pickUpPoints = (names: PickUpPointNames, chosen: string | null): [string, string][] =>
  [...names, ...(chosen && !names.has(chosen) ? [[chosen, chosen] as [string, string]] : [])].sort(
    ([, one], [, other]) => one.localeCompare(other),
  );

function Find({ search }: FiltersProps) {
  const inAddress = search.get('find') ?? '';
  const [typed, setTyped] = useState(inAddress);
  useEffect(() => setTyped(inAddress), [inAddress]);
  useEffect(() => {
    if (typed.trim() === inAddress) return undefined;
    const timer = setTimeout(
      () => goTo(addressWith(search, { find: typed.trim(), cursor: null }), { replace: true }),
      TYPED_MS,
    );
    return () => clearTimeout(timer);
  }, [typed, inAddress, search]);
  return (
    <Field
      label={t`Key, shipment or case number`}
      type="search"
      value={typed}
      maxLength={200}
      autocomplete="off"
      spellcheck={false}
      set={setTyped}
    />
  );
}
