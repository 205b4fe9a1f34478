// An entry of the log about what happened at a wall, and what those who read such entries share.
import { z } from 'zod';
import type { CommandContext, TemporalContext } from '../temporal-context.ts';

const kinds = [
  'codesSeen',
  'opened',
  'stayedShut',
  'outOfOrder',
  'emptied',
  'mechanic',
  'message',
  'offline',
  'online',
  'openDoor',
  'doorShut',
] as const;

export const wallLogEntry = z
  .object({
    id: z.string(),
    at: z.string(),
    kind: z.enum(kinds),
    pupUid: z.string().nullable(),
    lockerName: z.string().nullable().meta({ description: 'Null: the whole wall, or it is not known' }),
    key: z
      .string()
      .nullable()
      .meta({ description: 'Of the process that had the locker, where one is known' }),
    words: z.string().meta({ description: 'What happened, as a sentence for people, with who and where' }),
    by: z.string().nullable().meta({ description: 'Who did it; null: it came by itself' }),
    why: z.string().nullable(),
    isBad: z.boolean(),
  })
  .meta({ title: 'WallLogEntry' });
export type WallLogEntry = Readonly<z.infer<typeof wallLogEntry>>;

export type Service = NonNullable<CommandContext['service']>;
export type WallLogParts = TemporalContext & { readonly service: Service };

export interface WallLogWanted {
  readonly since: string;
  readonly until?: string | undefined;
  readonly by?: string | undefined;
}

/** Of a pick up point, by its uid. */
export type NameOf = (pupUid: string) => Promise<string>;
