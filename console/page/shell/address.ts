// The address of the page: goes to another view without loading the page again, and tells when it has changed.
import { useEffect, useState } from 'preact/hooks';

const CHANGED = 'lockerflow-address';

/** @param replace true for a change that is not a step of its own for the back button, like each letter of a search */
export function goTo(address: string, { replace = false } = {}): void {
  if (address === location.pathname + location.search + location.hash) return;
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  dispatchEvent(new Event(CHANGED));
}

/** Of a wall, with one of its lockers chosen. */
export function wallAddress(pupUid: string, lockerUid?: string | null): string {
  const chosen = lockerUid ? `?${new URLSearchParams({ locker: lockerUid })}` : '';
  return `/walls/${encodeURIComponent(pupUid)}${chosen}`;
}

export interface Address {
  readonly path: string;
  readonly search: URLSearchParams;
}

export function useAddress(): Address {
  const [text, setText] = useState(location.pathname + location.search);
  useEffect(() => {
    const changed = () => setText(location.pathname + location.search);
    for (const event of ['popstate', CHANGED]) addEventListener(event, changed);
    changed();
    return () => {
      for (const event of ['popstate', CHANGED]) removeEventListener(event, changed);
    };
  }, []);
  const { pathname, search } = new URL(text, location.origin);
  return { path: pathname, search: new URLSearchParams(search) };
}

/** Links of the page's own go to their view without loading the page again. */
export function followLinks(): () => void {
  const click = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.origin !== location.origin) return;
    if (link.pathname === location.pathname && link.hash !== '') return;
    event.preventDefault();
    goTo(link.pathname + link.search);
    scrollTo(0, 0);
  };
  document.addEventListener('click', click);
  return () => document.removeEventListener('click', click);
}

/** The present address with other parameters; an empty value takes one away. */
export function addressWith(
  search: URLSearchParams,
  changes: Readonly<Record<string, string | null>>,
): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  const text = next.toString();
  return location.pathname + (text === '' ? '' : `?${text}`);
}
