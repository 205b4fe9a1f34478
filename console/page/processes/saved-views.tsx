// Searches that the person keeps, in this browser: each is an address of the list with a name.
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { onSubmit } from '../parts/field.tsx';
import { Menu } from '../parts/menu.tsx';
import { currentMessages } from '../shell/locale.ts';

interface SavedView {
  readonly name: string;
  readonly search: string;
}

const PLACE = 'lockerflow-views';
const MOST = 30;

export function SavedViews({ search }: { readonly search: URLSearchParams }) {
  const [views, setViews] = useState(keptViews);
  const [name, setName] = useState('');
  const keep = (next: readonly SavedView[]) => {
    localStorage.setItem(PLACE, JSON.stringify(next));
    setViews(next);
  };
  const save = () => {
    const kept = new URLSearchParams(search);
    for (const each of ['cursor', 'peek']) kept.delete(each);
    const view = { name: name.trim(), search: kept.toString() };
    if (view.name === '') return;
    keep([...views.filter((each) => each.name !== view.name), view].slice(-MOST));
    setName('');
  };
  const words = currentMessages().list.views;
  return (
    <Menu class="saved-views" label={`${words.title}${views.length > 0 ? ` (${views.length})` : ''}`}>
      {views.length === 0 && <p class="soft">{words.none}</p>}
      <ul class="plain">
        {views.map((view) => (
          <li key={view.name} class="row between">
            <a href={`/processes${view.search && `?${view.search}`}`}>{view.name}</a>
            <button
              type="button"
              class="remove"
              aria-label={words.forget(view.name)}
              onClick={() => keep(views.filter((each) => each !== view))}
            />
          </li>
        ))}
      </ul>
      <form class="row" onSubmit={onSubmit(save)}>
        <label>
          <span>{words.saveAs}</span>
          <input
            value={name}
            maxLength={60}
            required
            autocomplete="off"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <Button>{words.save}</Button>
      </form>
    </Menu>
  );
}

/** What stands in the browser may be anything. */
function keptViews(): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.filter(
      (each): each is SavedView => typeof each?.name === 'string' && typeof each?.search === 'string',
    );
  } catch {
    return [];
  }
}
