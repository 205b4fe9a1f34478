// What the field that finds anything knows: what is typed, what is found, and which of it is chosen.
import { useEffect, useState } from 'preact/hooks';
import type { Found } from '../../find/find-view.ts';
import { type RequestError, useJson } from '../api.ts';
import { exactIn } from './exact-hit.ts';
import { type Hit, type HitGroup, hitGroups } from './hits.ts';

/** Shorter than a person takes from letter to letter, long enough that a fast one asks once for a word. */
const PAUSE_MS = 150;

export interface FindState {
  readonly typed: string;
  readonly type: (text: string) => void;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  /** Nothing is typed, and nothing shown. */
  readonly close: () => void;
  readonly groups: readonly HitGroup[];
  readonly chosen: Hit | undefined;
  /** Chooses the next one, or the one before. */
  readonly move: (step: 1 | -1) => void;
  readonly open: (address: string) => void;
  /** Opens what is chosen; or, as soon as it is known, what has exactly what was typed, or the only one that is found, else all. */
  readonly enter: () => void;
  readonly data: Found | undefined;
  readonly refusal: RequestError | undefined;
  /** Where all that is found is shown. */
  readonly all: string;
}

export function useFind(goTo: (address: string) => void): FindState {
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [index, setIndex] = useState(0);
  // A scanner ends with Enter what it reads, before anything is found.
  const [entered, setEntered] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => setIndex(0), [text]);
  const query = new URLSearchParams({ text });
  const { data, refusal } = useJson<Found>(isOpen && text !== '' ? `/v1/search?${query}` : undefined);
  const groups = data ? hitGroups(data, text) : [];
  const hits = groups.flatMap((group) => group.hits);
  const close = () => {
    setOpen(false);
    setTyped('');
    setEntered(undefined);
  };
  const open = (address: string) => {
    close();
    goTo(address);
  };
  const all = `/search?${query}`;
  useEffect(() => {
    if (!data || entered !== text) return;
    const [first, ...others] = hits;
    const isSure = others.length === 0 || exactIn(data, text).length > 0;
    open(first && isSure ? first.href : all);
  }, [data, entered]);
  return {
    typed,
    type: (value) => {
      setTyped(value);
      setOpen(true);
    },
    isOpen,
    setOpen,
    close,
    open,
    groups,
    chosen: hits[index],
    move: (step) => hits.length > 0 && setIndex((index + step + hits.length) % hits.length),
    enter: () => {
      const hit = typed.trim() === text ? hits[index] : undefined;
      if (hit) open(hit.href);
      else if (typed.trim() !== '') setEntered(typed.trim());
    },
    data,
    refusal,
    all,
  };
}
