// The dependencies and settings of one worker's activities.
import type { AddressKind } from '../contract/flows/outreach.ts';
import type { ServiceProfile } from '../contract/index.ts';
import type { LockerApi } from '../shared/locker-api/index.ts';
import type { Connectors } from './connectors/connectors.ts';
import type { OutreachChannels } from './connectors/outreach-channel.ts';

/** Of a booking in doubt. */
export interface Pace {
  /** A service may still work on a request whose caller is gone: until then "none" in a listing proves nothing. */
  readonly settleMs: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

export interface OutreachDependencies extends OutreachChannels {
  readonly address: AddressKind;
  /** Without a slash at its end; null: no links. */
  readonly consoleUrl: string | null;
}

export interface ActivityDependencies {
  readonly api: LockerApi;
  readonly serviceProfile: ServiceProfile;
  /** Whether a flow puts its own references on a booking where the caller gave none. */
  readonly setsReferences: boolean;
  /** ISO 8601 duration: how long a report is kept while no flow claims it. */
  readonly keepFor: string;
  /** Delay between two attempts of a booking that waits for a free locker. */
  readonly lockerRetryMs: number;
  readonly pace: Pace;
  /** The connectors that flow files may call; absent: none. */
  readonly connectors?: Connectors;
  /** By which people reach outside; absent: they do not. */
  readonly outreach?: OutreachDependencies;
  /** Time limit for collecting optional evidence of a booking's roles. */
  readonly probingMs?: number;
}
