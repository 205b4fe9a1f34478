// What a view is: a place in the console with an address of its own.
import type { ComponentType } from 'preact';
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';
import type { IconName } from '../parts/icon.tsx';

export interface ViewProps {
  /** The parts of the address that begin with a colon in the view's path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** What stands behind the question mark of the address. */
  readonly search: URLSearchParams;
  readonly user: ConsoleUser;
}

export interface View {
  /** Like /processes or /walls/:pupUid. */
  readonly path: string;
  /** The title of the browser's tab. */
  readonly title: (params: Readonly<Record<string, string>>) => string;
  readonly view: ComponentType<ViewProps>;
  /** Only of a view that the navigation leads to. */
  readonly icon?: IconName;
}

/** The view of an address, with its params; the first that fits. */
export function viewAt(
  views: readonly View[],
  path: string,
): { readonly view: View; readonly params: Readonly<Record<string, string>> } | undefined {
  for (const view of views) {
    const params = paramsOf(view.path, path);
    if (params) return { view, params };
  }
  return undefined;
}

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.replace(/(.)\/$/, '$1').split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decoded(value);
    else if (part !== value) return undefined;
  }
  return params;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A lone percent sign that a person typed.
  }
}
