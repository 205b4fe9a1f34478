// What the parts of one run share.
import type { Client } from '@temporalio/client';
import type { Random } from '../kernel/random.ts';
import type { Program, Simulator } from '../kernel/simulator.ts';
import type { LockerService } from '../locker-service/service.ts';
import type { SimulatedTemporal } from '../temporal/server.ts';
import type { Configuration } from './configuration.ts';
import type { Faults } from './faults.ts';

export interface Installation {
  readonly simulator: Simulator;
  readonly random: Random;
  readonly configuration: Configuration;
  readonly faults: Faults;
  readonly temporal: SimulatedTemporal;
  readonly service: LockerService;
  clientOf(program: Program): Client;
  isServiceDown(): boolean;
}
