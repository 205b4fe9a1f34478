// What a start or a move changes of an input, in the words of its form: places by their names, durations as people say them.
import { t } from '../../../shared/texts/text.ts';
import type { FormField } from '../../desk/desk-view.ts';
import type { StartAgainPreview } from '../../processes/processes-view.ts';
import { usePickUpPointNames } from '../shell/pick-up-points.ts';
import { formatDuration } from './durations.ts';
import { nameApart } from './labels.ts';
import { leavesOf } from './start-again-fields.ts';

type Change = StartAgainPreview['changes'][number];

interface ChangeTexts extends Pick<Change, 'field'> {
  readonly title: string;
  readonly from: string;
  readonly to: string;
}

export function useChangeTexts(fields: readonly FormField[]): (change: Change) => ChangeTexts {
  const names = usePickUpPointNames();
  const all = leavesOf(fields);
  return ({ field: path, from, to }) => {
    const field = all.find((each) => each.path === path);
    const text = (value: unknown) => {
      const words = String(value ?? '');
      // Without one the service chooses it.
      if (words === '') return field?.kind === 'locker' ? t`any that fits` : '–';
      return field?.kind === 'duration' ? formatDuration(words) : (names.get(words) ?? words);
    };
    return { field: path, title: nameApart(path, fields), from: text(from), to: text(to) };
  };
}
