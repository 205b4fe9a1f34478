// What a cluster is made from.
import type { LockerSettings } from '../locker-settings.ts';
import type { LocalSettings } from '../settings.ts';
import type { Between } from './connections.ts';
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
  /** The folder of a checkout. */
  readonly project: string;
  /** Beside the variables that the cluster gives it. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Reached extends Required<ClusterOptions> {
  readonly serviceUrl: () => string;
}
