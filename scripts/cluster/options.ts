// What a cluster is made from.

import type { LocalSettings, LockerSettings } from '../settings.ts';
import type { ClusterPrograms } from './programs.ts';

export interface ClusterOptions {
  readonly settings: LocalSettings;
  readonly locker: LockerSettings;
  readonly programs: ClusterPrograms;
  /** The bundle of the workflows: built while the databases are made. */
  readonly bundle: Promise<string>;
  /** The folder of flow files, which the workers publish. */
  readonly flowFolder: string;
  readonly between?: Between;
  /** What a service, a receiver or a worker runs, asked by its name at each start: this checkout if not given. */
  readonly runs?: (component: string) => Run;
  /** The build id of the workers that get the work. */
  readonly currentBuildId?: () => string;
}

export interface Run {
  readonly project: string;
  /** Beside the variables that the cluster gives it. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ResolvedOptions extends Required<ClusterOptions> {
  readonly serviceUrl: () => string;
}

export type ClusterConnection =
  | 'workers to services'
  | 'workers to Temporal'
  | 'receivers to Temporal'
  | 'services to Postgres'
  | 'services to receivers'
  | 'Temporal to Postgres'
  | `balancer to service ${number}`
  | `balancer to receiver ${number}`;

/** Gets the port where the target listens, and gives the port by which the other component reaches it. */
export type Between = (way: ClusterConnection, port: number) => Promise<number>;

export const nothingBetween: Between = async (_way, port) => port;

// The shape of production on this machine: which processes there are, and how many of each. docker-compose.yml says the same
// shape; a test holds the two together.

/** The roles of Temporal's server, as it names them. */
export const temporalRoles = ['history', 'matching', 'frontend', 'worker'] as const;
export type TemporalRole = (typeof temporalRoles)[number];

export const shape = {
  temporal: { history: 2, matching: 1, frontend: 1, worker: 1 },
  service: 2,
  receiver: 2,
  worker: 3,
} as const satisfies { temporal: Record<TemporalRole, number> } & Record<string, unknown>;

/** Fixed for the life of a database: Temporal cannot change it later. */
export const HISTORY_SHARDS = 64;

/** What the workers of the cluster are called among Temporal's worker versions. */
export const BUILD_ID = 'cluster';
