// Reading what a sender put into an update: it may be anything, and must never crash the process.
import type { Role } from '../../contract/flows/flow-input.ts';
import { type Declaration, rolesOf } from '../../flows/declaration.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(payload: unknown): Fields {
  return typeof payload === 'object' && payload !== null ? (payload as Fields) : {};
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function roleIn(flow: Declaration, value: unknown): Role | null {
  return rolesOf(flow).find((role) => role === value) ?? null;
}

export function noSuchRole(flow: Declaration, value: unknown): string {
  return `role is ${JSON.stringify(value)}, expected one of ${rolesOf(flow).join(', ')}`;
}
