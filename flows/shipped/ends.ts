// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of flow files.
// How a built-in flow ends otherwise than with its result.
import type { StateData } from '../language/flow-file.ts';

export const otherEnds = {
  cancelled: { type: 'final' },
  refused: {
    type: 'final',
    entry: { type: 'fail', params: { code: '${event.error.code}', message: '${event.error.message}' } },
  },
} as const satisfies Readonly<Record<string, StateData>>;
