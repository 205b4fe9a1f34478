// What is searched for. It stands in the address, so that a search can be kept and sent to others.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { FlowList, FlowStages } from '../../flows/flows-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Options } from '../parts/field.tsx';
import { formatFlow } from '../parts/format-flow.ts';
import { addressWith, goTo } from '../shell/address.ts';
import { useJson } from '../shell/api.ts';
import { common, currentMessages } from '../shell/locale.ts';
import { type PickUpPointNames, usePickUpPointNames } from '../shell/pick-up-points.ts';
import { SavedViews } from './saved-views.tsx';

/** While a person types, the search waits for the end of the word. */
const TYPED_MS = 250;

const AGES = ['1', '24', '72', '168', '720'] as const;
const ENDS = ['24', '168', '720'] as const;

/** By what stands in the address; nothing there is any. */
function choices() {
  const { ages, ends, sorts } = currentMessages().list.filters;
  const named = <Name extends string>(names: readonly Name[], of: Readonly<Record<Name, string>>) =>
    Object.fromEntries(names.map((name) => [name, of[name]]));
  return {
    ages: { '': ages.any, ...named(AGES, ages) } as Readonly<Record<string, string>>,
    ends: { '': ends.any, ...named(ENDS, ends) } as Readonly<Record<string, string>>,
    sorts: { '': sorts.newest, deadline: sorts.deadline },
  };
}

const sizes = { '25': '25', '': '50', '100': '100', '200': '200' } as const;

interface FiltersProps {
  readonly search: URLSearchParams;
}

interface FieldsProps extends FiltersProps {
  /** False: the flows are not asked for yet. */
  readonly knowsFlows: boolean;
}

export function Filters({ search, knowsFlows }: FieldsProps) {
  const [isSheet, setSheet] = useState(false);
  const words = currentMessages().list.filters;
  return (
    <search class="row filters">
      <Find search={search} />
      <div class="row filters-inline">
        <Fields search={search} knowsFlows={knowsFlows} />
      </div>
      <span class="filters-sheet">
        <Button press={() => setSheet(true)}>{words.title}…</Button>
      </span>
      <SavedViews search={search} />
      {isSheet && (
        <Dialog title={words.title} close={() => setSheet(false)} closeLabel={words.show}>
          <div class="sheet">
            <Fields search={search} knowsFlows={knowsFlows} />
          </div>
        </Dialog>
      )}
      <Chips search={search} />
    </search>
  );
}

type Changes = Readonly<Record<string, string | null>>;
/** A stage is of its flow. */
const setter = (search: URLSearchParams) => (changes: Changes) =>
  goTo(addressWith(search, { ...('flow' in changes && { stage: null }), ...changes, cursor: null }));

function Fields({ search, knowsFlows }: FieldsProps) {
  const { data: known } = useJson<FlowList>(knowsFlows ? '/v1/flows' : undefined);
  const names = usePickUpPointNames();
  const set = setter(search);
  const flow = search.get('flow') ?? '';
  const flows = new Set([...(known?.items.map((each) => each.flow) ?? []), ...(flow === '' ? [] : [flow])]);
  const words = currentMessages().list.filters;
  const { ages, ends, sorts } = choices();
  const ended = ['closed', 'failed'].includes(search.get('state') ?? '');
  return (
    <>
      <Choice label={words.flow} value={flow} choose={(value) => set({ flow: value })}>
        <option value="">{words.anyFlow}</option>
        {[...flows].sort().map((name) => (
          <option key={name} value={name}>
            {formatFlow(name)}
          </option>
        ))}
      </Choice>
      <Choice
        label={common().point}
        value={search.get('pickUpPoint') ?? ''}
        choose={(value) => set({ pickUpPoint: value })}
      >
        <option value="">{words.anyPoint}</option>
        {pickUpPoints(names, search.get('pickUpPoint')).map(([pupUid, name]) => (
          <option key={pupUid} value={pupUid}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice
        label={words.age}
        value={search.get('olderThan') ?? ''}
        choose={(value) => set({ olderThan: value })}
      >
        <Options of={ages} />
      </Choice>
      {ended ? (
        <Choice
          label={words.ended}
          value={search.get('endedWithin') ?? ''}
          choose={(value) => set({ endedWithin: value })}
        >
          <Options of={ends} />
        </Choice>
      ) : (
        <Choice label={words.sort} value={search.get('sort') ?? ''} choose={(value) => set({ sort: value })}>
          <Options of={sorts} />
        </Choice>
      )}
      <Choice label={words.rows} value={search.get('size') ?? ''} choose={(value) => set({ size: value })}>
        <Options of={sizes} />
      </Choice>
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choose: (value: string) => void;
  readonly children: ComponentChildren;
}

const Choice = ({ label, value, choose, children }: ChoiceProps) => (
  <label>
    <span>{label}</span>
    <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {children}
    </select>
  </label>
);

/** One that is not known here, or not any more, is still shown. */
const pickUpPoints = (names: PickUpPointNames, chosen: string | null): [string, string][] =>
  [...names, ...(chosen && !names.has(chosen) ? [[chosen, chosen] as [string, string]] : [])].sort(
    ([, one], [, other]) => one.localeCompare(other),
  );

interface ChipNames {
  readonly points: PickUpPointNames;
  readonly stages: ReadonlyMap<string, string>;
}

const chipWords: Readonly<Record<string, (value: string, names: ChipNames) => string>> = {
  find: (value) => `“${value}”`,
  flow: formatFlow,
  stage: (value, { stages }) => stages.get(value) ?? currentMessages().list.filters.oneStage,
  pickUpPoint: (value, { points }) => points.get(value) ?? value,
  olderThan: (value) => choices().ages[value] ?? currentMessages().list.filters.olderThan(value),
  endedWithin: (value) => {
    const { endedIn, inHours } = currentMessages().list.filters;
    return endedIn(choices().ends[value] ?? inHours(value));
  },
  sort: () => choices().sorts.deadline,
};

/** As the page of the flow calls them. */
function useStageNames(search: URLSearchParams): ReadonlyMap<string, string> {
  const flow = search.get('flow');
  const { data } = useJson<FlowStages>(
    flow && search.has('stage') ? `/v1/flows/${encodeURIComponent(flow)}/status` : undefined,
  );
  const lanes = data?.lanes ?? [];
  return new Map(
    lanes.flatMap(({ title: lane, stages }) =>
      stages.map(({ path, title }) => [path, lane === null ? title : `${lane}: ${title}`] as const),
    ),
  );
}

/** What narrows the list, each with a way to take it away. */
function Chips({ search }: FiltersProps) {
  const names = { points: usePickUpPointNames(), stages: useStageNames(search) };
  const set = setter(search);
  const chips = Object.entries(chipWords).flatMap(([name, words]) => {
    const value = search.get(name);
    return value ? [{ name, words: words(value, names) }] : [];
  });
  if (chips.length === 0) return null;
  return (
    <ul class="row plain chips" aria-label={currentMessages().list.filters.narrows}>
      {chips.map(({ name, words }) => (
        <li key={name} class="pill">
          {words}
          <button
            type="button"
            class="remove"
            aria-label={currentMessages().list.filters.without(words)}
            onClick={() => set({ [name]: null })}
          />
        </li>
      ))}
      <li>
        <Button press={() => set(Object.fromEntries(Object.keys(chipWords).map((name) => [name, null])))}>
          {currentMessages().list.filters.clear}
        </Button>
      </li>
    </ul>
  );
}

function Find({ search }: FiltersProps) {
  const id = useId();
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
    <label for={id} class="find">
      <span>{currentMessages().list.find}</span>
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
