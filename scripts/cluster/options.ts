// What a cluster is made from.

import type { LockerSettings } from '../../local/api-settings.ts';
import type { LocalSettings } from '../../local/settings.ts';
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
