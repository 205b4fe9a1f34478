// What is searched for. It stands in the address, so that a search can be kept and sent to others.
import { useEffect, useState } from 'preact/hooks';
import type { FlowList } from '../../flows/flows-view.ts';
import { Button } from '../parts/button.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { useJson } from '../shell/api.ts';

/** While a person types, the search waits for the end of the word. */
const TYPED_MS = 250;

const stands = {
  '': 'all open',
  'phase=Open': 'on their way',
  'phase=Overdue': 'overdue',
  'phase=NeedsPerson': 'waiting for a person',
  'state=closed': 'ended',
  'state=all': 'open and ended',
} as const;

const ages = {
  '': 'any age',
  '1': 'older than 1 hour',
  '24': 'older than 1 day',
  '72': 'older than 3 days',
  '168': 'older than 1 week',
  '720': 'older than 30 days',
} as const;

export function Filters({ search }: { readonly search: URLSearchParams }) {
  const { data: choices } = useJson<FlowList>('/v1/flows');
  const set = (changes: Readonly<Record<string, string | null>>) =>
    goTo(addressWith(search, { ...changes, cursor: null }));
  const phase = search.get('phase');
  const flow = search.get('flow') ?? '';
  const names = new Set([...(choices?.items.map((each) => each.flow) ?? []), ...(flow === '' ? [] : [flow])]);
  return (
    <search class="filters">
      <Typed id="find" label="Key, shipment or case number" name="find" search={search} />
      <label>
        <span>Stands</span>
        <select
          value={phase ? `phase=${phase}` : stateOf(search)}
          onChange={({ currentTarget }) => {
            const [name = '', value = ''] = currentTarget.value.split('=');
            set({ phase: null, state: null, ...(name !== '' && { [name]: value }) });
          }}
        >
          {Object.entries(stands).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Flow</span>
        <select value={flow} onChange={({ currentTarget }) => set({ flow: currentTarget.value })}>
          <option value="">any flow</option>
          {[...names].sort().map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Typed id="pick-up-point" label="Pick up point" name="pickUpPoint" search={search} />
      <label>
        <span>Age</span>
        <select
          value={search.get('olderThan') ?? ''}
          onChange={({ currentTarget }) => set({ olderThan: currentTarget.value })}
        >
          {Object.entries(ages).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Rows</span>
        <select
          value={search.get('size') ?? '50'}
          onChange={({ currentTarget }) =>
            set({ size: currentTarget.value === '50' ? null : currentTarget.value })
          }
        >
          {['25', '50', '100', '200'].map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
      <Button press={() => goTo('/processes')}>Clear</Button>
    </search>
  );
}

const stateOf = (search: URLSearchParams): string =>
  search.has('state') ? `state=${search.get('state')}` : '';

interface TypedProps {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  readonly search: URLSearchParams;
}

function Typed({ id, label, name, search }: TypedProps) {
  const inAddress = search.get(name) ?? '';
  const [typed, setTyped] = useState(inAddress);
  useEffect(() => setTyped(inAddress), [inAddress]);
  useEffect(() => {
    if (typed.trim() === inAddress) return undefined;
    const timer = setTimeout(
      () => goTo(addressWith(search, { [name]: typed.trim(), cursor: null }), { replace: true }),
      TYPED_MS,
    );
    return () => clearTimeout(timer);
  }, [typed, inAddress, name, search]);
  return (
    <label for={id}>
      <span>{label}</span>
      <input
        id={id}
        type="search"
        value={typed}
        maxLength={200}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </label>
  );
}
