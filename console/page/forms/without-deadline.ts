// Whether a start is without an end: then nothing becomes late.
import type { FormField } from '../../desk/desk-view.ts';

/** The form asks for deadlines, and none is given. */
export const isWithoutDeadline = (
  fields: readonly FormField[],
  values: Readonly<Record<string, string>>,
): boolean =>
  fields.some(({ path }) => path === 'deadlines') &&
  !Object.entries(values).some(([path, value]) => path.startsWith('deadlines.') && value.trim() !== '');
